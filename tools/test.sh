#!/bin/bash
# test.sh [long]: every test of the project. Builds with gcc and clang, plain and under
# sanitizers; the last line is "N passed, N failed, N skipped" over all test programs, and the
# status says the same. With "long": the tests that do not fit twenty minutes.
set -u
cd "$(dirname "$0")/.." || exit 2
mode=${1:-all}
jobs=$(nproc)
passed=0 failed=0 skipped=0
started=$(date +%s)
log=build/log
mkdir -p $log

result() { # NAME STATUS [LOG]
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
		echo "  ok      $1"
	else
		failed=$((failed + 1))
		echo "  FAILED  $1"
		[ -z "${3:-}" ] || tail -n 40 "$3"
	fi
}

step() {
	echo "== $1 ($(($(date +%s) - started)) s)"
}

build() { # PRESET
	cmake --preset "$1" >$log/configure-$1 2>&1 &&
		cmake --build build/$1 -j "$jobs" >$log/build-$1 2>&1
	local status=$?
	[ -s $log/build-$1 ] || cp $log/configure-$1 $log/build-$1
	result "build.$1" $status $log/build-$1
	return $status
}

# run PRESET CTEST_ARGUMENT...: counts each test by its own line.
run() {
	local preset=$1 out p f s
	shift
	out=$log/ctest-$preset
	ctest --test-dir build/$preset -j "$jobs" --output-on-failure --timeout 900 \
		--no-tests=error "$@" >$out 2>&1
	p=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed ' $out)
	s=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .*\*\*\*Skipped ' $out)
	f=$(grep -cE '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .*\*\*\*' $out)
	f=$((f - s))
	if [ $((p + f + s)) = 0 ]; then
		f=1
		cat $out
	fi
	passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
	echo "  $preset: $p passed, $f failed, $s skipped"
	if [ $f != 0 ]; then
		sed -n '/The following tests FAILED/,$p' $out
		grep -vE '^ *[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed |^ +Start +[0-9]+:' $out |
			head -n 200
	fi
}

finish() {
	echo "$(($(date +%s) - started)) s"
	echo "$passed passed, $failed failed, $skipped skipped" | tee $log/summary
	[ $failed = 0 ]
	exit
}

if [ "$mode" = long ]; then
	step "long tests, release build"
	build release && run release -L '^long$'
	# not among the short ones: what random bytes find (in hwloc, say) would fail them by chance
	step "fuzz targets, 60 s each"
	bash tools/fuzz.sh 60 >$log/fuzz 2>&1
	result fuzz $? $log/fuzz
	finish
fi

step "builds: gcc with and without optimisation, clang, sanitizers"
build release
build dev
dev=$?
build clang
clang=$?
build asan-ubsan
asan=$?
export SIBYL_OTHER=$PWD/build/clang/sibyl
if [ $dev = 0 ]; then
	step "all tests, gcc"
	run dev -LE '^long$'
fi
if [ $clang = 0 ]; then
	step "golden tests, clang"
	run clang -L '^golden$'
fi
if [ $asan = 0 ]; then
	step "unit and command tests, address and undefined-behaviour sanitizers"
	run asan-ubsan -L '^(unit|cli)$'
fi
step "formatting and clang-tidy"
bash tools/format.sh --check >$log/format 2>&1
result format $? $log/format
bash tools/tidy.sh >$log/tidy 2>&1
result clang-tidy $? $log/tidy
finish
