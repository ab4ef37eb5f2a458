#!/usr/bin/env python3
"""make_dat.py IN.txt OUT.dat [CPU:NNN]: the scheduler events of a `trace-cmd report` text as
a trace.dat of version 6 (trace-cmd.dat(5)), so that tests have one without a kernel. With
CPU:NNN the second page of that CPU says that NNN events were lost before it.
"""
import collections, re, struct, sys

PAGE = 4096
HEAD = re.compile(r"^\s*(.+)-(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}):\s+(\w+):\s+(.*)$")
SWITCH = re.compile(r"^(.*):(\d+) \[(-?\d+)\] (\S+) ==> (.*):(\d+) \[(-?\d+)\]")
WAKEUP = re.compile(r"^(.*):(\d+) \[(-?\d+)\].*CPU:(\d+)")
MIGRATE = re.compile(r"comm=(.*) pid=(\d+) prio=(\d+) orig_cpu=(\d+) dest_cpu=(\d+)")
STATES = {"R": 0, "S": 1, "D": 2, "T": 4, "t": 8, "X": 16, "Z": 32, "W": 128}
COMMON = [("unsigned short", "common_type", 2, 0), ("unsigned char", "common_flags", 1, 0),
          ("unsigned char", "common_preempt_count", 1, 0), ("int", "common_pid", 4, 1)]


def ints(*names):
    return [("int", n, 4, 1) for n in names]


WAKE = [("char", "comm[16]", 16, 0)] + ints("pid", "prio", "target_cpu")
EVENTS = {
    "sched_switch": (316, [("char", "prev_comm[16]", 16, 0)] + ints("prev_pid", "prev_prio") +
                     [("long", "prev_state", 8, 1), ("char", "next_comm[16]", 16, 0)] +
                     ints("next_pid", "next_prio")),
    "sched_wakeup": (318, WAKE),
    "sched_wakeup_new": (317, WAKE),
    "sched_migrate_task": (315, [("char", "comm[16]", 16, 0)] +
                           ints("pid", "prio", "orig_cpu", "dest_cpu")),
}


def format_of(name):
    number, fields = EVENTS[name]
    text, at = "name: %s\nID: %d\nformat:\n" % (name, number), 0
    for kind, field, size, signed in COMMON + fields:
        text += "\tfield:%s %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % (kind, field, at, size,
                                                                     signed)
        at += size
        text += "\n" if field == "common_pid" else ""
    if name == "sched_migrate_task":  # trace-cmd has plugins for the others
        return text + ("\nprint fmt: \"comm=%s pid=%d prio=%d orig_cpu=%d dest_cpu=%d\", "
                       "REC->comm, REC->pid, REC->prio, REC->orig_cpu, REC->dest_cpu\n")
    return text + "\nprint fmt: \"%d\", REC->common_pid\n"


def body(name, fields, pid):
    head = struct.pack("<HBBi", EVENTS[name][0], 0, 0, int(pid))
    comm = lambda s: s.encode()
    if name == "sched_switch":
        m = SWITCH.match(fields)
        return head + struct.pack("<16siiq16sii", comm(m[1]), int(m[2]), int(m[3]),
                                  STATES[m[4][0]], comm(m[5]), int(m[6]), int(m[7]))
    if name == "sched_migrate_task":
        m = MIGRATE.match(fields)
        return head + struct.pack("<16siiii", comm(m[1]), *map(int, m.groups()[1:]))
    m = WAKEUP.match(fields)
    return head + struct.pack("<16siii", comm(m[1]), *map(int, m.groups()[1:]))


def pages(events, lost):
    """Pages of one CPU; a time extend before every event but the first, which
    alone can tell of lost ones."""
    out, data, start, last = [], b"", None, None
    def close():
        nonlocal data
        commit = len(data)
        if lost and len(out) == 1:
            commit |= 3 << 30
            data += struct.pack("<Q", lost)
        out.append((struct.pack("<QQ", start, commit) + data).ljust(PAGE, b"\0"))
        data = b""
    for ns, event in events:
        event = event.ljust((len(event) + 3) & ~3, b"\0")
        if len(data) > PAGE // 3:  # small pages: more of them
            close()
        if not data:
            start = last = ns
        delta = ns - last
        if delta:
            data += struct.pack("<II", 30 | (delta & (1 << 27) - 1) << 5, delta >> 27)
        data += struct.pack("<I", len(event) // 4) + event
        last = ns
    if data:
        close()
    return b"".join(out)


def block(text, size="<Q"):
    return struct.pack(size, len(text)) + text.encode()


def main():
    cpu = collections.defaultdict(list)
    for line in open(sys.argv[1]):
        m = HEAD.match(line)
        if m and m[6] in EVENTS:
            cpu[int(m[3])].append((int(m[4] + m[5]), body(m[6], m[7], m[2])))
    where, lost = map(int, sys.argv[3].split(":")) if len(sys.argv) > 3 else (-1, 0)
    n = max(cpu) + 1
    page = "".join("\tfield: %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n" % f for f in (
        ("u64 timestamp", 0, 8, 0), ("local_t commit", 8, 8, 1), ("int overwrite", 8, 1, 1),
        ("char data", 16, PAGE - 16, 0)))
    event = ("# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
             "\tarray       :   32 bits\n")
    out = b"\x17\x08\x44tracing6\0" + struct.pack("<BBI", 0, 8, PAGE)
    out += b"header_page\0" + block(page) + b"header_event\0" + block(event)
    out += struct.pack("<II", 0, 1) + b"sched\0" + struct.pack("<I", len(EVENTS))
    out += b"".join(block(format_of(e)) for e in EVENTS)
    out += struct.pack("<IIQI", 0, 0, 0, n) + b"options  \0" + struct.pack("<H", 0)
    out += b"flyrecord\0"
    at = (len(out) + 16 * n + PAGE - 1) // PAGE * PAGE
    data = b""
    for i in range(n):
        one = pages(cpu[i], lost if i == where else 0)
        out += struct.pack("<QQ", at + len(data), len(one))
        data += one
    open(sys.argv[2], "wb").write(out.ljust(at, b"\0") + data)


main()
