#!/bin/bash
# fidelity.sh [--check]: collect the "differs from Linux:" notes of the sources into
# docs/fidelity.md, or fail if that file is not what this prints.
set -eu
cd "$(dirname "$0")/.."
make_text() {
	cat <<'T'
# What differs from Linux

Every known difference between sibyl and the kernel, collected by `tools/fidelity.sh` from
the notes beside the code. What is not listed here and not covered by a test is not known to
be the same.

| where | difference |
|---|---|
T
	find src -name '*.[ch]' | LC_ALL=C sort | xargs awk '
		FNR == 1 { take = 0 }
		{
			line = $0
			if (match(line, /differs from Linux: /)) {
				text = substr(line, RSTART + RLENGTH); take = 1
				if (sub(/[ \t]*\*\/.*/, "", text)) { print_row(); take = 0 }
				next
			}
			if (take) {
				gsub(/^[ \t]*\*?[ \t]?/, "", line)
				if (line == "" || line == "/" || line ~ /^\/$/) { print_row(); take = 0; next }
				done = sub(/[ \t]*\*\/.*/, "", line)
				text = text " " line
				if (done) { print_row(); take = 0 }
			}
		}
		function print_row() {
			gsub(/[ \t]+/, " ", text)
			printf "| `%s` | %s |\n", FILENAME, text
		}'
}
if [ "${1:-}" = --check ]; then
	make_text | cmp - docs/fidelity.md
else
	make_text >docs/fidelity.md
fi
