#!/bin/bash
# check_docs.sh: code in the docs is the code that CI builds. A block that is preceded by
# <!-- file: PATH --> must be that file's text. Generated docs are up to date.
set -u
cd "$(dirname "$0")/.." || exit 2
awk '
	/^<!-- file: / { path = $3; next }
	path != "" && /^```/ {
		if (!inside) { inside = 1; text = ""; next }
		want = ""
		while ((getline line < path) > 0) want = want line "\n"
		close(path)
		if (want == "") { printf "%s: %s is missing or empty\n", FILENAME, path; bad = 1 }
		else if (want != text) { printf "%s: the block for %s is not that file\n", FILENAME, path; bad = 1 }
		blocks++; inside = 0; path = ""; next
	}
	inside { text = text $0 "\n" }
	END { if (!blocks) { print "no block checked"; bad = 1 } exit bad }
' docs/*.md README.md && tools/fidelity.sh --check &&
	{ ! command -v python3 >/dev/null || python3 tools/score_doc.py --check; } && echo "docs hold"
