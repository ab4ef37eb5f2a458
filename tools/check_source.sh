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
files=$(find src include -name '*.[ch]' ! -name quantile_tables.h)
# shellcheck disable=SC2086
out=$(awk '
	function end_of_file() {
		if (last > 600)
			printf "%s: %d lines, at most 600\n", name, last
	}
	FNR == 1 {
		end_of_file()
		name = FILENAME; open = 0
		if ($0 !~ /^\/\*/)
			printf "%s:1: does not open with a comment\n", name
	}
	{
		last = FNR; width = 0
		n = split($0, part, "\t")
		for (i = 1; i <= n; i++) {
			width += length(part[i])
			if (i < n)
				width += 8 - width % 8
		}
		if (width > 100)
			printf "%s:%d: %d columns\n", name, FNR, width
	}
	/^\{/ { open = FNR }
	/^\}/ {
		if (open && FNR - open - 1 > 60)
			printf "%s:%d: function of %d lines\n", name, open, FNR - open - 1
		open = 0
	}
	END { end_of_file() }' $files)
[ -z "$out" ] || say "$out"
words='TO''DO|FIX''ME|XX''X|HA''CK|not implem''ented'
out=$(grep -rnE "\b($words)\b" src include tests --include='*.[ch]' --include='*.sh')
[ -z "$out" ] || say "$out"
out=$(grep -rnE '\b(float|double)\b' src/engine src/machine src/sched --include='*.c' |
	grep -vE ':[[:space:]]*(/?\*)')
[ -z "$out" ] || say "$out"
[ $status = 0 ] && echo "source rules hold"
exit $status
