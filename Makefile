# What people type. The build itself is CMake's (CMakePresets.json); this file only knows in
# which order to call it.
.PHONY: all demo test test-long test-bare bench oracle-report score-doc format tidy fuzz clean

all:
	@cmake --preset release >/dev/null
	@cmake --build build/release

# From nothing to two tables: installs what is missing, builds, compares kernels on this
# machine's own topology, and predicts a published table.
demo:
	@bash tools/deps.sh build
	@cmake --preset release >/dev/null
	@cmake --build build/release --target sibyl
	@build/release/sibyl compare -m this --db build/demo.db
	@echo
	@echo "And a table of the kernel list, predicted beside what was published:"
	@echo
	@build/release/sibyl experiment core-v2-avx512 --db build/demo.db
	@echo
	@echo "That was: build/release/sibyl compare -m this"
	@echo "          build/release/sibyl experiment core-v2-avx512"
	@echo "Go on with:"
	@echo "  build/release/sibyl compare            an example that explains itself"
	@echo "  build/release/sibyl list machines      and kernels, workloads, options"
	@echo "  build/release/sibyl machine draw this  what it thinks that this machine is"
	@echo "  README.md, docs/                       how to add a kernel, a machine, a workload"

test:
	@bash tools/deps.sh test
	@bash tools/test.sh

test-long:
	@bash tools/deps.sh test
	@bash tools/test.sh long

test-bare:
	@bash tools/bare.sh

bench: all
	@bash tests/bench/run.sh

# Every recorded scenario against its simulation (half an hour): docs/oracle.md
oracle-report: all
	@python3 tests/oracle/report.py -o docs/oracle.md

# docs/score.md and the errors that model bands are made of (some minutes)
score-doc: all
	@python3 tools/score_doc.py build/release/sibyl build/score.db

format:
	@bash tools/format.sh

tidy:
	@bash tools/tidy.sh

fuzz:
	@bash tools/deps.sh test
	@bash tools/fuzz.sh

clean:
	@rm -rf build
