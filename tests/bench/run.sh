#!/bin/bash
# make bench: what an event costs. Counted, not timed: instructions under callgrind, which
# repeat exactly for one binary; CPU seconds and peak memory beside them.
set -eu
cd "$(dirname "$0")/../.."
command -v valgrind >/dev/null || { echo "bench: valgrind is missing (apt install valgrind)" >&2; exit 2; }
exec python3 tests/bench/bench.py "${1:-build/release/sibyl}"
