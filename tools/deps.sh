#!/bin/bash
# deps.sh build|test: installs the Debian packages that are missing. Stays offline, and needs no
# privileges, when all are there.
set -eu
build="build-essential cmake ninja-build pkg-config libyaml-dev libhwloc-dev
	librandom123-dev libgsl-dev libsqlite3-dev libxxhash-dev libbsd-dev
	zlib1g-dev libtracecmd-dev libtraceevent-dev libtracefs-dev"
test="libcmocka-dev clang clang-tidy clang-format libclang-rt-14-dev python3 valgrind
	sqlite3 git"
case ${1:-} in
build) wanted=$build ;;
test) wanted="$build $test" ;;
*)
	echo "usage: tools/deps.sh build|test" >&2
	exit 2
	;;
esac
if ! command -v dpkg-query >/dev/null; then
	echo "deps.sh: not a Debian system; needed are the equivalents of:" $wanted >&2
	exit 0
fi
missing=""
for package in $wanted; do
	state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
	[ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
root=""
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null || {
		echo "deps.sh: neither root nor sudo; please install:$missing" >&2
		exit 3
	}
	root="sudo"
fi
echo "installing:$missing"
$root apt-get update -q
$root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
