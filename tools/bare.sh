#!/bin/bash
# bare.sh: does a bare Debian 12 do? Makes one with debootstrap in $BARE (a new folder under
# /tmp if unset), clones what is committed here, and runs `make demo` and `make test` inside.
# The mirror and its proxy are those of this machine's own apt. Needs root.
set -eu
cd "$(dirname "$0")/.."
repo=$PWD
suite=bookworm
[ "$(id -u)" = 0 ] || { echo "bare.sh: needs root (chroot)" >&2; exit 3; }
command -v debootstrap >/dev/null || { echo "bare.sh: needs debootstrap" >&2; exit 3; }
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' \
	'Created-By: Packages' | awk -v s=$suite '$2 == s && $3 == "main" { print $1; exit }')
[ -n "$mirror" ] || { echo "bare.sh: apt knows no mirror of $suite" >&2; exit 3; }
root=${BARE:-$(mktemp -d /tmp/sibyl-bare.XXXXXX)}
mkdir -p "$root"
say() { echo "bare: $1 ($(($(date +%s) - started)) s)"; }
cleanup() {
	for m in sys proc; do
		mountpoint -q "$root/$m" && umount -R -l "$root/$m"
	done
	[ -n "${BARE:-}" ] || rm -rf --one-file-system "$root" "$root.log"
}
trap cleanup EXIT
started=$(date +%s)
[ -x "$root/bin/sh" ] || debootstrap --variant=minbase $suite "$root" "$mirror" >"$root.log" 2>&1 ||
	{ tail -n 20 "$root.log" >&2; exit 3; }
echo "deb $mirror $suite main" >"$root/etc/apt/sources.list"
apt-config dump | grep -iE '^Acquire::.*(Proxy|Verify)' >"$root/etc/apt/apt.conf.d/90host" || true
for f in resolv.conf hosts; do
	[ ! -e /etc/$f ] || cp -L /etc/$f "$root/etc/$f"
done
mount -t proc proc "$root/proc" 2>/dev/null || true
mount --rbind /sys "$root/sys" 2>/dev/null || true
[ -c "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3
say "system made"
inside() {
	chroot "$root" /usr/bin/env -i HOME=/root TERM=dumb LC_ALL=C \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
		http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" \
		/bin/bash -c "$1"
}
inside 'apt-get update -q && DEBIAN_FRONTEND=noninteractive \
	apt-get install -q -y --no-install-recommends make git ca-certificates' >"$root.log" 2>&1 ||
	{ tail -n 20 "$root.log" >&2; exit 3; }
rm -rf "$root/root/sibyl"
git clone -q "$repo" "$root/root/sibyl"
say "git, make and the clone are there"
inside 'cd /root/sibyl && make demo'
say "make demo is over"
inside 'cd /root/sibyl && make test'
say "make test is over"
