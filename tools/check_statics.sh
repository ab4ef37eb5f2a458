#!/bin/bash
# check_statics.sh ARCHIVE...: fails if an object holds a mutable static. The simulator may run
# several schedulers in one process, so state lives in arenas. Tables of constant pointers
# (.data.rel.ro) are fine: the loader makes them read-only.
set -u
bad=0
for archive in "$@"; do
	[ -f "$archive" ] || { echo "missing: $archive"; exit 1; }
	found=$(objdump -t "$archive" | awk -v a="${archive##*/}" '
		/file format/ { object = $1; sub(/:$/, "", object) }
		# value flags section size name
		{
			section = ""
			for (i = 1; i <= NF; i++)
				if ($i ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/)
					section = $i
			if (section == "" || section ~ /^\.data\.rel\.ro/)
				next
			if (/ d  /)	# the section itself
				next
			print a ": " object ": " section " " $NF
		}')
	if [ -n "$found" ]; then
		echo "$found"
		bad=1
	fi
done
[ $bad = 0 ] && echo "no mutable statics in $# archives"
exit $bad
