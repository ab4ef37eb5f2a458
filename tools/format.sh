#!/bin/bash
# format.sh [--check]: clang-format over every C file; with --check only says what is not clean.
set -u
cd "$(dirname "$0")/.." || exit 2
files=$(find src include tests -name '*.[ch]' ! -name quantile_tables.h ! -name pelt_table.h)
if [ "${1:-}" = --check ]; then
	# one process for all: its start costs more than a file
	bad=$(echo "$files" | xargs clang-format --dry-run 2>&1 |
		sed -n 's/^\([^ :]*\):[0-9].*clang-format-violations.*/\1/p' | sort -u)
	[ -z "$bad" ] && exit 0
	echo "$bad" | sed "s/$/: not formatted, run 'make format'/"
	exit 1
fi
echo "$files" | xargs clang-format -i
