#!/bin/bash
# A disk that fills up while results are stored: one line, status 3, and the database is sound.
. "$(dirname "$0")/lib.sh"
mkdir small
mount -t tmpfs -o size=200k none small 2>/dev/null || {
	echo "cannot mount a small disk here"
	exit 77
}
trap 'umount "$tmp/small"; rm -rf "$tmp"' EXIT
fails 3 'small/x.db|full' compare -m "core:4 pu:2" -w hogs16 -k linux-6.1 -t 0.4 -n 500 \
	--db small/x.db
umount small
mount -t tmpfs -o size=400k none small
head -c 300000 /dev/zero >small/filler
"$SIBYL" compare -m "core:4 pu:2" -w hogs16 -k linux-6.1 -t 0.4 -n 200 --db small/x.db >out 2>err
rm small/filler
mount -o remount,size=20m small
works compare -m "core:4 pu:2" -w hogs16 -k linux-6.1 -t 0.4 -n 200 --db small/x.db
same 'after room was made: runs' 200 "$(sqlite3 small/x.db 'SELECT count(*) FROM run')"
same 'the database is sound' ok "$(sqlite3 small/x.db 'PRAGMA integrity_check')"

# a disk that only reads: what is known is shown, what is new cannot be stored
mount -o remount,ro small
works compare -m "core:4 pu:2" -w hogs16 -k linux-6.1 -t 0.4 -n 200 --db small/x.db
fails 3 'x.db' compare -m "core:4 pu:2" -w hogs16 -k linux-6.1 -t 0.4 -n 201 --db small/x.db
finish
