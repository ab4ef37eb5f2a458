#!/bin/bash
# fuzz.sh [SECONDS]: every fuzz target for some seconds (60), from its small corpus, as many
# at once as there are CPUs. What it finds stays in build/fuzz/found. An input that takes 10 s
# is a finding; one that takes 1 s is kept there as slow-unit: on a machine that is busy look
# at its CPU time before believing it.
set -u
cd "$(dirname "$0")/.." || exit 2
seconds=${1:-60}
build=${SIBYL_FUZZ_BUILD:-build/fuzz}
jobs=$(nproc)
names=$(find tests/fuzz -name 'fuzz_*.c' -printf '%f\n' | sort | sed 's/\.c$//')
# shellcheck disable=SC2086
cmake --preset fuzz -B "$build" >/dev/null &&
	cmake --build "$build" -j "$jobs" --target $names >/dev/null || exit 2
mkdir -p "$build"/found

fuzz() { # NAME
	mkdir -p "$build/corpus/$1"
	if "$build/tests/$1" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 \
		-report_slow_units=1 -max_len=20000 -artifact_prefix="$build/found/$1-" \
		-print_final_stats=1 -verbosity=0 "$build/corpus/$1" "tests/fuzz/corpus/$1" \
		>"$build/found/$1.log" 2>&1; then
		echo "$1: $(grep -o 'executed_units: .*' "$build/found/$1.log"), nothing found"
	else
		cat "$build/found/$1.log"
		echo "$1: FAILED"
		return 1
	fi
}
export -f fuzz
export build seconds
echo "$names" | xargs -P "$jobs" -I{} bash -c 'fuzz {}'
