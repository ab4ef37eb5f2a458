#!/bin/bash
# A comparison that is killed or interrupted loses at most the runs that were running: the
# next call goes on, and ends with the table that an undisturbed one gives.
. "$(dirname "$0")/lib.sh"
args=(compare -m "core:4 pu:2" -w hogs16 -k "linux-6.1,linux-6.1:smt=off" -n 50)
count() {
	sqlite3 -cmd '.timeout 5000' "$1" 'SELECT count(*) FROM run' 2>/dev/null || echo 0
}
# stopped SIGNAL DATABASE: sends the signal as soon as some runs are stored.
stopped() {
	"$SIBYL" "${args[@]}" -j2 --db "$2" >out 2>err &
	local pid=$!
	for _ in $(seq 600); do
		[ -s "$2" ] && [ "$(count "$2")" -ge 5 ] && break
		kill -0 $pid 2>/dev/null || break
		sleep 0.02
	done
	kill -"$1" $pid 2>/dev/null
	wait $pid
}

# as long as it takes to catch it in the middle: builds differ by a factor of a hundred
for seconds in 1 8 64 512; do
	rm -f killed.db* int.db*
	args+=(-t $seconds)
	stopped KILL killed.db
	status=$?
	before=$(count killed.db)
	stopped INT int.db
	interrupted=$?
	[ $status = 0 ] || [ $interrupted = 0 ] || [ "$before" -ge 90 ] || break
done
same 'kill -9: status' 137 $status
[ "$before" -ge 5 ] && [ "$before" -lt 100 ] && ok || bad "kill -9: $before runs stored"
same 'SIGINT: status' 130 $interrupted
same 'SIGINT: one line' 1 "$(grep -c '^sibyl: interrupted' err)"
grep -qE '^(H|A)mean' out && ok || bad 'SIGINT: no table of what there is'

sqlite3 killed.db 'SELECT id FROM run ORDER BY id' >first
works "${args[@]}" --db killed.db && cp out resumed
same 'resumed: runs' 100 "$(count killed.db)"
sqlite3 killed.db 'SELECT id FROM run ORDER BY id' | comm -23 first - >lost
same 'resumed: runs lost' 0 "$(wc -l <lost)"
works "${args[@]}" --db int.db && cmp -s out resumed && ok || bad 'tables differ'
works "${args[@]}" --db fresh.db && cmp -s out resumed && ok || bad 'tables differ'

# all is known: the same table, and nothing is written
cp fresh.db known.db
works "${args[@]}" --db fresh.db && cmp -s out resumed && ok || bad 'tables differ'
cmp -s fresh.db known.db && ok || bad 'known runs were written again'
same 'known: runs' 100 "$(count fresh.db)"

# a single run can be interrupted too
"$SIBYL" run -m "core:64 pu:2" -w run-sleep -k linux-6.1 -p tasks=1000 -t 10000 >out 2>err &
pid=$!
sleep 0.5
kill -INT $pid
wait $pid
same 'interrupted run: status' 130 $?
same 'interrupted run: one line' 1 "$(grep -c '^sibyl: ' err)"
finish
