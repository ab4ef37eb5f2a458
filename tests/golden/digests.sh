#!/bin/bash
# Golden digests of some runs. They may move only together with SIBYL_SEMANTICS, because runs of
# different semantics must not be mixed in one database. UPDATE=1 writes digests.txt, and
# refuses to unless the semantics were raised (or the file only grows).
set -u
here=$(cd "$(dirname "$0")" && pwd)
: "${SIBYL:?}"
now=$(sed -n 's/^#define SIBYL_SEMANTICS *\([0-9]*\).*/\1/p' \
	"$here/../../src/experiment/include/experiment/run.h")
[ -n "$now" ] || { echo "no SIBYL_SEMANTICS"; exit 1; }
tmp=$(mktemp -d /tmp/sibyl-digests.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
echo "semantics $now" >"$tmp/got"
while IFS= read -r line; do
	[ -n "$line" ] || continue
	digest=$(eval "\"\$SIBYL\" run $line --json" 2>"$tmp/err" |
		grep -oE '"digest":"[0-9a-f]{16}"' | cut -d'"' -f4)
	if [ -z "$digest" ]; then
		echo "sibyl run $line: $(cat "$tmp/err")"
		exit 1
	fi
	echo "$digest  $line" >>"$tmp/got"
done <"$here/digests.runs"
if [ -f "$here/digests.txt" ] && cmp -s "$here/digests.txt" "$tmp/got"; then
	echo "$(($(wc -l <"$tmp/got") - 1)) digests are as they were, semantics $now"
	exit 0
fi
was=$(sed -n 's/^semantics //p' "$here/digests.txt" 2>/dev/null || true)
moved=$(comm -13 <(sort "$tmp/got") <(sort "$here/digests.txt" 2>/dev/null) | grep -v '^semantics')
if [ "${UPDATE:-0}" = 1 ]; then
	if [ -n "$moved" ] && [ "$now" -le "${was:-0}" ]; then
		echo "digests moved, but SIBYL_SEMANTICS is still $now: raise it first"
		exit 1
	fi
	cp "$tmp/got" "$here/digests.txt"
	echo "wrote digests.txt, semantics $now"
	exit 0
fi
echo "digests moved (semantics: golden ${was:-none}, now $now); if that is meant, raise"
echo "SIBYL_SEMANTICS in experiment/run.h and run tests/golden/digests.sh with UPDATE=1"
diff "$here/digests.txt" "$tmp/got" | head -n 30
exit 1
