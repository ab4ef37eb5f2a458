#!/bin/bash
# Broken inputs: each gives one clear line, and status 2 (3 where the system refused).
. "$(dirname "$0")/lib.sh"
m="core:2 pu:2"
quick=(-m "$m" -w hogs4 -k linux-6.1)
mkdir -p workloads kernels machines

wl() { # NAME: workload from stdin
	cat >workloads/"$1".yaml
}
bad_wl() { # NAME PATTERN
	fails 2 "workloads/$1.yaml:[0-9]+:[0-9]+: .*$2|workloads/$1.yaml: .*$2" \
		workload show "$tmp/workloads/$1.yaml"
}
good='description: d
source: s
tasks:
  a:
    program: [{run: 1 ms}]
metrics: {elapsed: {elapsed: yes, unit: s, better: lower}}
fixed-work: yes
duration: 1 s
'

# the command line
fails 2 "unknown command 'comapre', did you mean 'compare'" comapre
fails 2 "unknown option '--machin3', did you mean '--machine'" compare --machin3 x
fails 2 "unknown option '-z'" compare -z
fails 2 "unknown option '-t'" show -t 3
fails 2 'needs a value' compare -m
fails 2 'needs a value' compare --seed
fails 2 'takes no value' run --json=yes
fails 2 'whole number' compare -n 0
fails 2 'whole number' compare -n -3
fails 2 'whole number' compare -n 5x
fails 2 'whole number' compare -j 0
fails 2 'whole number' compare --seed 99999999999999999999999
fails 2 'seconds' run "${quick[@]}" -t 0
fails 2 'seconds' run "${quick[@]}" -t -1
fails 2 'seconds' run "${quick[@]}" -t '3 parsecs'
fails 2 'text, csv or json' compare --format xml
fails 2 'ftrace' run "${quick[@]}" --trace x --trace-format perfetto
fails 2 'name=value' run "${quick[@]}" -p hogs
fails 2 'too much' doctor what
fails 2 'missing' show
fails 2 '-k KERNEL is missing' run -m "$m" -w hogs4
fails 2 'more than one value' run "${quick[@]}" -p hogs=1,2
fails 2 "unknown list 'machine', did you mean 'machines'" list machine
fails 2 "unknown verb 'drew', did you mean 'draw'" machine drew this
fails 2 'holds none|no experiment' experiment nothing

# names and values
fails 2 "no kernel 'linux-6.2', did you mean 'linux-6.1" run -m "$m" -w hogs4 -k linux-6.2
fails 2 "no workload 'hogs44', did you mean 'hogs" run -m "$m" -w hogs44 -k linux-6.1
fails 2 "no machine 'oracle-smt9', did you mean 'oracle-smt8'" \
	run -m oracle-smt9 -w hogs4 -k linux-6.1
fails 2 'smt' run -m "$m" -w hogs4 -k linux-6.1:smd=off
fails 2 'maybe' run -m "$m" -w hogs4 -k linux-6.1:smt=maybe
fails 2 'out of range' run -m "$m" -w hogs4 -k linux-6.1:hz=1000000000
fails 2 'time with a unit' run -m "$m" -w hogs4 -k linux-6.1:slice.latency=12
fails 2 'time with a unit' run -m "$m" -w hogs4 -k "linux-6.1:slice.latency=12 KiB"
fails 2 'option' run -m "$m" -w hogs4 -k smt=off
fails 2 'empty' compare -m "$m" -w hogs4 -k linux-6.1,,linux-6.1
fails 2 'hogz.*hogs' run "${quick[@]}" -p hogz=3
fails 2 'hogs' run "${quick[@]}" -p hogs=-1
fails 2 'hogs' run "${quick[@]}" -p hogs=100000000
fails 2 'metric' compare "${quick[@]}" -t 0.4 -n 1 --metric nonsense
fails 2 'duration|-t' run -m "$m" -w fork200 -k linux-6.1 -t 2
fails 2 'duration|-t' compare -m "$m" -w fork200 -k linux-6.1 -t 2
fails 2 '.' run -m "core:0 pu:2" -w hogs4 -k linux-6.1
fails 2 '.' run -m "nonsense:4 pu:x" -w hogs4 -k linux-6.1
fails 2 '.' run -m "core:99999999 pu:2" -w hogs4 -k linux-6.1

# files: workloads
fails 2 'No such file' workload show nowhere/x.yaml
fails 2 'directory' workload show "$tmp/workloads"
mkdir workloads/folder.yaml
fails 2 'directory' workload show "$tmp/workloads/folder.yaml"
: | wl empty
bad_wl empty ''
head -c 5000 /bin/sh | wl junk
bad_wl junk ''
printf 'tasks: \xff\xfe\x00\n' | wl bytes
bad_wl bytes ''
{ printf 'description: '; head -c 1000000 /dev/zero | tr '\0' x; echo; } | wl long
bad_wl long ''
{ head -c 1000000 /dev/zero | tr '\0' x; echo ': 1'; } | wl longkey
bad_wl longkey ''
{ printf 'tasks: '; head -c 100 /dev/zero | tr '\0' '['; } | wl deep
bad_wl deep ''
{ printf 'tasks: '; head -c 100000 /dev/zero | tr '\0' '['; } | wl deeper
bad_wl deeper ''
echo "${good}taks: 3" | wl unknown
bad_wl unknown "taks.*'tasks'"
echo "${good}description: again" | wl twice
bad_wl twice 'twice'
echo "${good/1 ms/1 KiB}" | wl wrongunit
bad_wl wrongunit ''
echo "${good/1 ms/12}" | wl nounit
bad_wl nounit ''
echo "${good/duration: 1 s/duration: -1 s}" | wl negative
bad_wl negative ''
echo "${good/run: 1 ms/rum: 1 ms}" | wl badop
bad_wl badop "rum.*'run'"
echo "${good/1 ms/\$nothing}" | wl badparam
bad_wl badparam 'nothing'
echo "${good/a:/a: &x}" | wl anchor
bad_wl anchor ''
printf '%s---\n%s' "$good" "$good" | wl second
bad_wl second ''
echo "base: selfish" | wl selfish
bad_wl selfish ''
echo "base: /nonexistent/x.yaml" | wl nobase
bad_wl nobase ''
echo "${good/\[\{run: 1 ms\}\]/\[\{affinity: \[99\]\}, \{run: 1 ms\}\]}" | wl cpu99
fails 2 '99' run -m "$m" -w "$tmp/workloads/cpu99.yaml" -k linux-6.1

# files: kernels
k() { cat >kernels/"$1".yaml; }
bad_k() { fails 2 "$2" kernel show "$tmp/kernels/$1.yaml"; }
printf 'base: %s\ndescription: d\nsource: s\n' "$tmp/kernels/b.yaml" | k a
printf 'base: %s\ndescription: d\nsource: s\n' "$tmp/kernels/a.yaml" | k b
bad_k a 'cycle|itself|again'
printf 'base: linux-6.1\ndescription: d\nsource: s\noptions:\n  wake.scam: full\n' | k typo
bad_k typo 'typo.yaml:5:3: .*wake.scan'
printf 'base: linux-6.1\ndescription: d\nsource: s\noptions:\n  wake.scan: fulll\n' | k choice
bad_k choice "choice.yaml:5:[0-9]+: .*full"
printf 'base: linux-6.1\ndescription: d\nsource: s\noptions:\n  hz: 3 ms\n' | k unit
bad_k unit 'unit.yaml:5:[0-9]+: '
printf 'base: linux-6.1\ndescription: d\nsource: s\noptions:\n  hz: 1\n' | k range
bad_k range 'range.yaml:5:[0-9]+: '
printf 'base: linux-6.1\ndescription: d\nsource: s\noptions:\n  hz: 250\n  hz: 300\n' | k twice
bad_k twice 'twice'
printf 'base: linux-6.0\ndescription: d\nsource: s\n' | k nobase
bad_k nobase 'linux-6.1'
: | k empty
bad_k empty 'empty.yaml'
head -c 3000 /bin/sh | k junk
bad_k junk 'junk.yaml'

# files: machines
mc() { cat >machines/"$1"; }
bad_m() { fails 2 "$2" machine show "$tmp/machines/$1"; }
: | mc empty.yaml
bad_m empty.yaml 'empty.yaml'
head -c 3000 /bin/sh | mc junk.yaml
bad_m junk.yaml 'junk.yaml'
printf 'description: d\nsource: s\ntopologie: x\n' | mc key.yaml
bad_m key.yaml 'key.yaml:3:1: '
cat >v3.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="3.0">
  <object type="Machine" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001"
   allowed_cpuset="0x00000001" nodeset="0x00000001" complete_nodeset="0x00000001"
   allowed_nodeset="0x00000001" gp_index="1">
    <object type="PU" os_index="0" cpuset="0x00000001" complete_cpuset="0x00000001"
     nodeset="0x00000001" complete_nodeset="0x00000001" gp_index="2"/>
  </object>
</topology>
XML
fails 2 'v3.xml' machine import v3.xml
sed 's/version="3.0"/version="2.0"/' v3.xml >v2.xml
sed 's/ complete_cpuset="/&,/' v2.xml >comma.xml
fails 2 'comma.xml:4:3: complete_cpuset=",0x00000001", expected hexadecimal' \
	machine import comma.xml
sed 's|</topology>|<cpukind cpuset=",0x1"/>&|' v2.xml >cpukind.xml
fails 2 'cpukind.xml: hwloc .*on this.*, expected a topology' machine import cpukind.xml
fails 2 'cpukind.xml: hwloc .*on this.*, expected a topology' machine show ./cpukind.xml
head -c 400 v3.xml >cut.xml
fails 2 'cut.xml' machine import cut.xml
head -c 4000 /bin/sh >junk.xml
fails 2 'junk.xml' machine import junk.xml
: >empty.xml
fails 2 'empty.xml' machine import empty.xml
fails 2 'nowhere' machine import nowhere.xml
printf '# CPU,Core,Socket,Node\n0,0,0,0\n1,1,0,0\n' >lscpu.txt
works machine import lscpu.txt
fails 2 'nowhere' machine import lscpu.txt --numactl nowhere.txt
fails 2 'junk.xml' machine import lscpu.txt --numactl junk.xml
fails 2 '.' check "$tmp/machines/empty.yaml"

# databases
head -c 8192 /bin/sh >junk.db
fails 2 'junk.db' compare "${quick[@]}" -t 0.4 -n 1 --db junk.db
fails 2 'junk.db' show last --db junk.db
if [ "$(id -u)" != 0 ]; then
	touch read.db && chmod 400 read.db
	fails 3 'read.db' compare "${quick[@]}" -t 0.4 -n 1 --db read.db
fi
fails 3 'nowhere' compare "${quick[@]}" -t 0.4 -n 1 --db nowhere/x.db
fails 3 'database' show last --db "$tmp"
works compare "${quick[@]}" -t 0.4 -n 1 --db fine.db
fails 2 'fine.db' show 0000 --db fine.db
fails 2 'hexadecimal' show xyz --db fine.db
fails 2 'hexadecimal' explain last xyz --db fine.db
cp fine.db newer.db
sqlite3 newer.db 'PRAGMA user_version = 999' 2>/dev/null &&
	fails 2 'newer.db' show last --db newer.db

# the standard output
if [ -c /dev/full ]; then
	"$SIBYL" list options >/dev/full 2>err
	same 'full standard output: status' 3 $?
	same 'full standard output: one line' 1 "$(grep -c '^sibyl: standard output' err)"
fi
"$SIBYL" list options >&- 2>err
same 'closed standard output: status' 3 $?
"$SIBYL" compare "${quick[@]}" -t 0.4 -n 1 --db closed.db >&- 2>err
same 'closed standard output: status' 3 $?
same 'closed standard output: the database is one' 'SQLite format 3' "$(head -c 15 closed.db)"
fails 3 'nowhere' run "${quick[@]}" -t 0.4 --trace nowhere/x
finish
