#!/usr/bin/env python3
"""Generate src/sched/load/pelt_table.h: y^n for n = 0..31 in Q32, y = 2^(-1/32).

Scaled by 2^32 - 1 and rounded down, as Linux's own table is: the rounding shows in
decisions.
`--check FILE` fails if FILE is not what this script prints.
"""
import sys
from decimal import Decimal, getcontext

getcontext().prec = 50
y = (-(Decimal(2).ln()) / 32).exp()
vals = [int((y**n * (2**32 - 1)).to_integral_value(rounding="ROUND_FLOOR"))
        for n in range(32)]
text = "/* Made by tools/gen_pelt.py; do not edit. */\n/* clang-format off */\n"
text += "static const u64 pelt_y[32] = {\n"
for i in range(0, 32, 6):
    text += "\t" + " ".join("0x%xull," % v for v in vals[i:i + 6]) + "\n"
text += "};\n"
if len(sys.argv) == 3 and sys.argv[1] == "--check":
    if open(sys.argv[2]).read() != text:
        sys.exit("%s is not what tools/gen_pelt.py makes" % sys.argv[2])
else:
    sys.stdout.write(text)
