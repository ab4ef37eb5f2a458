#!/bin/bash
# Same files, same seed: the same digests and the same database (but for timing), at -j1 and
# -j2, twice, and from another compiler ($SIBYL_OTHER, if there is one).
. "$(dirname "$0")/lib.sh"
args=(compare -m "pack:2 core:2 pu:2" -k "linux-6.1,linux-6.1:smt=off" -n 3 -t 0.5)
# CPUs that come and go, within half a second
plug=$PWD/plug.yaml
sed 's/at: \([1-4]\) s/at: \100 ms/' "$SIBYL_DATA/workloads/hotplug.yaml" >"$plug"
dump() {
	sqlite3 "$1" .dump | grep -vE '^INSERT INTO "?timing' | grep -v sqlite_sequence
}
make() { # BINARY JOBS NAME
	for w in mixed hogs16 forks "$plug"; do
		"$1" "${args[@]}" -w "$w" -j "$2" --db "$3.db" --format json >>"$3".json 2>err ||
			bad "$3: $(cat err)"
	done
	dump "$3".db >"$3".dump
}
make "$SIBYL" 1 one
make "$SIBYL" 2 two
make "$SIBYL" 2 again
others="two again"
if [ -n "${SIBYL_OTHER:-}" ] && [ -x "$SIBYL_OTHER" ]; then
	make "$SIBYL_OTHER" 1 other1
	make "$SIBYL_OTHER" 2 other2
	others="$others other1 other2"
else
	echo "no second compiler: set SIBYL_OTHER to its binary"
fi
same 'runs in the database' 24 "$(sqlite3 one.db 'SELECT count(*) FROM run')"
same 'different digests' 24 "$(sqlite3 one.db 'SELECT count(DISTINCT digest) FROM run')"
for o in $others; do
	cmp -s one.json $o.json && ok || bad "one and $o: tables differ"
	cmp -s one.dump $o.dump && ok || {
		bad "one and $o: databases differ"
		diff one.dump $o.dump | cut -c1-300 | head -n 10
	}
done

# the same content under another name is the same run
mkdir names
sed 's/^description:.*/description: another text/' "$SIBYL_DATA/kernels/linux-6.1.yaml" \
	>names/other.yaml
a=$("$SIBYL" run -m "core:2 pu:2" -w hogs4 -k linux-6.1 -t 0.4 --json |
	grep -o '"digest":"[0-9a-f]*"')
b=$("$SIBYL" run -m "core:2 pu:2" -w hogs4 -k names/other.yaml -t 0.4 --json |
	grep -o '"digest":"[0-9a-f]*"')
[ -n "$a" ] && same 'digest under another name' "$a" "$b"
# replicates of a constant workload differ
works compare -m "core:2 pu:2" -w hogs4 -k linux-6.1 -t 0.4 -n 4 --db rep.db
same 'digests of replicates' 4 "$(sqlite3 rep.db 'SELECT count(DISTINCT digest) FROM run')"
finish
