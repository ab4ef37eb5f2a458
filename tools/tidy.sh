#!/bin/bash
# tidy.sh [FILE]...: clang-tidy with .clang-tidy over src/, warnings are errors. The analyzer
# runs in its shallow mode: half the time, and fewer paths that cannot happen.
set -u
cd "$(dirname "$0")/.." || exit 2
[ -f build/dev/compile_commands.json ] || cmake --preset dev >/dev/null || exit 2
if [ $# -gt 0 ]; then
	files=$*
else
	files=$(find src -name '*.c')
fi
out=$(echo "$files" | xargs -P "$(nproc)" -n 6 \
	clang-tidy --quiet -p build/dev --extra-arg=-Wno-unknown-warning-option \
	--extra-arg=-Xclang --extra-arg=-analyzer-config \
	--extra-arg=-Xclang --extra-arg=mode=shallow 2>&1)
status=$?
echo "$out" | grep -vE '^[0-9]+ warnings? generated|^Suppressed |^Use -header-filter|^$'
exit $status
