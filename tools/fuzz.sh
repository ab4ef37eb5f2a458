#!/bin/bash
# fuzz.sh [SECONDS]: every fuzz target for some seconds (60), from its small corpus. What it
# finds stays in build/fuzz/found.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
cmake --preset fuzz >/dev/null
cmake --build build/fuzz -j "$(nproc)"
mkdir -p build/fuzz/found
for target in build/fuzz/tests/fuzz_*; do
	[ -x "$target" ] && [ -f "$target" ] || continue
	name=${target##*/}
	mkdir -p build/fuzz/corpus/"$name"
	echo "== $name, $seconds s"
	"$target" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 -max_len=20000 \
		-artifact_prefix=build/fuzz/found/"$name"- -print_final_stats=0 -verbosity=0 \
		build/fuzz/corpus/"$name" tests/fuzz/corpus/"$name"
done
