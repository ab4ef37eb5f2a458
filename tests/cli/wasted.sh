#!/bin/bash
# sibyl run --wasted: CPUs that idle while a task waits are found where nobody balances; the
# run is the same with and without the watcher.
. "$(dirname "$0")/lib.sh"

cat >pile.yaml <<'Y'
description: three hogs that start on one CPU
source: "estimate: a test"
duration: 2 s
tasks:
  hog:
    count: 3
    program:
      - run: forever
metrics:
  share_hog: {share: hog, of: cpus, better: higher}
Y
run=(run -m "pack:1 core:4 pu:1" -w ./pile.yaml)
off=linux-6.1:balance=off,fork.placement=parent,wake.scan=none
works "${run[@]}" -k "$off" --wasted --json
cp out with.json
works "${run[@]}" -k "$off" --json
python3 - <<'PY' && ok || bad 'wasted cores without a balancer'
import json
w, plain = json.load(open("with.json")), json.load(open("out"))
assert w["digest"] == plain["digest"] and w["events"] == plain["events"]
assert "wasted" not in plain
level = w["wasted"]["levels"][0]
assert level["longest_ms"] > 10 * level["bound_ms"], level
assert 1 < w["wasted"]["wasted_core_s"] < 2, w["wasted"]
PY
works "${run[@]}" -k linux-6.1:fork.placement=parent,wake.scan=none --wasted
grep -q '^wasted_core_s  *0  ' out && grep -q '^longest idle while a task waited, MC  *[0-9.]*  ms, bound ' out &&
	ok || bad 'wasted cores of linux-6.1'
finish
