#!/bin/bash
# Golden texts: NAME.cmd holds one command a line, NAME.txt what they print ($ is the binary).
# UPDATE=1 writes the texts instead.
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${SIBYL:?}"
tmp=$(mktemp -d /tmp/sibyl-golden.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 2
bad=0
for cmd in "$here"/*.cmd; do
	name=$(basename "$cmd" .cmd)
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		echo "\$ sibyl $line"
		eval "\"\$SIBYL\" $line" 2>&1
		status=$?
		[ $status = 0 ] || echo "status $status"
	done <"$cmd" >got
	if [ "${UPDATE:-0}" = 1 ]; then
		cmp -s got "$here/$name.txt" || { cp got "$here/$name.txt"; echo "wrote $name.txt"; }
	elif ! diff -u "$here/$name.txt" got >diff; then
		echo "$name differs (UPDATE=1 make test would accept it):"
		head -n 40 diff
		bad=1
	fi
done
[ $bad = 0 ] && echo "golden texts are as they were"
exit $bad
