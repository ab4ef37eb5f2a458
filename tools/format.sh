#!/bin/bash
# format.sh [--check]: clang-format over every C file; with --check only says what is not clean.
set -u
cd "$(dirname "$0")/.." || exit 2
files=$(find src include tests -name '*.[ch]' ! -name quantile_tables.h ! -name pelt_table.h)
if [ "${1:-}" = --check ]; then
	bad=0
	for f in $files; do
		clang-format "$f" | cmp -s - "$f" && continue
		echo "$f: not formatted, run 'make format'"
		bad=1
	done
	exit $bad
fi
echo "$files" | xargs clang-format -i
