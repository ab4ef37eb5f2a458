#!/bin/bash
# check_source.sh: rules of the house that no compiler knows: length of files, an opening
# comment, line width, unfinished business, floating point where integers are meant.
set -u
cd "$(dirname "$0")/.." || exit 2
status=0
say() {
	echo "$1"
	status=1
}
while IFS= read -r file; do
	case $file in
	src/base/quantile_tables.h) continue ;;
	esac
	lines=$(wc -l <"$file")
	[ "$lines" -le 600 ] || say "$file: $lines lines, at most 600"
	head -c 2 "$file" | grep -q '^/\*' || say "$file:1: does not open with a comment"
done < <(find src include -name '*.[ch]')
out=$(find src include tests -name '*.[ch]' ! -name quantile_tables.h -exec awk '
	{
		line = $0; width = 0; n = length(line)
		for (i = 1; i <= n; i++)
			width = substr(line, i, 1) == "\t" ? width + 8 - width % 8 : width + 1
		if (width > 100) printf "%s:%d: %d columns\n", FILENAME, FNR, width
	}
	FNR == 1 { open = 0 }
	/^\{/ { open = FNR }
	/^\}/ { if (open && FNR - open - 1 > 70 && FILENAME ~ /^src/)
		printf "%s:%d: function of %d lines\n", FILENAME, open, FNR - open - 1
		open = 0 }' {} +)
[ -z "$out" ] || say "$out"
words='TO''DO|FIX''ME|XX''X|HA''CK|not implem''ented'
out=$(grep -rnE "\b($words)\b" src include tests --include='*.[ch]' --include='*.sh')
[ -z "$out" ] || say "$out"
out=$(grep -rnE '\b(float|double)\b' src/engine src/machine src/sched --include='*.c' |
	grep -vE ':[[:space:]]*(/?\*)')
[ -z "$out" ] || say "$out"
[ $status = 0 ] && echo "source rules hold"
exit $status
