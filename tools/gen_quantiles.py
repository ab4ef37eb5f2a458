#!/usr/bin/env python3
"""Generate src/base/quantile_tables.h: fixed-point tables for random durations.

No floating point may reach a decision of the simulator, so the inverse distribution
functions are tabulated once, here, with 60 decimal digits, and rounded to integers.
`tools/gen_quantiles.py --check FILE` fails if FILE is not what this script prints.

  exp2_table   2^(i/256) in Q62, i = 0..256
  log2_table   log2(1 + i/256) in Q32, i = 0..256
  normal_table z(p) in Q32 for p = 2^-(k+1) * (1 + j/64), upper tail: P(Z > z) = p,
               octave k = 0..47, j = 0..64
"""
import sys
from decimal import Decimal, getcontext

getcontext().prec = 60
LN2 = Decimal(2).ln()


def rnd(x):
    return int(x.to_integral_value(rounding="ROUND_HALF_EVEN"))


PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def erfc_upper(z):
    """P(Z > z) for a standard normal, z >= 0."""
    t = z * z / 2
    dens = (-t).exp() / (2 * PI).sqrt()
    if z < 5:
        # Phi(z) - 1/2 = dens * sum z^(2n+1) / (1*3*5..(2n+1))
        term, total, n = z, z, 0
        while abs(term) > Decimal(10) ** -45:
            n += 1
            term = term * z * z / (2 * n + 1)
            total += term
        return Decimal("0.5") - dens * total
    # continued fraction of Mills' ratio
    f = z
    for k in range(400, 0, -1):
        f = z + Decimal(k) / f
    return dens / f


def normal_upper(p):
    """z with P(Z > z) = p, by Newton's method."""
    from statistics import NormalDist
    z = Decimal(NormalDist().inv_cdf(float(1 - p)) if p > Decimal("1e-9")
                else -NormalDist().inv_cdf(float(p)))
    if p == Decimal("0.5"):
        return Decimal(0)
    for _ in range(3):
        dens = (-z * z / 2).exp() / (2 * PI).sqrt()
        z += (erfc_upper(z) - p) / dens
    return z


def rows(name, ctype, values):
    out = ["static const %s %s[%d] = {" % (ctype, name, len(values))]
    line = ""
    for v in values:
        item = "%dull," % v
        if len(line) + len(item) + 1 > 80:
            out.append("\t" + line)
            line = ""
        line = (line + " " + item).strip()
    out.append("\t" + line)
    out.append("};")
    return out


def main():
    exp2 = [rnd((LN2 * i / 256).exp() * 2**62) for i in range(257)]
    log2 = [rnd((1 + Decimal(i) / 256).ln() / LN2 * 2**32) for i in range(257)]
    norm = []
    for k in range(48):
        for j in range(65):
            p = (1 + Decimal(j) / 64) / Decimal(2) ** (k + 1 + 1)
            norm.append(max(0, rnd(normal_upper(p) * 2**32)))
    text = ["/* Made by tools/gen_quantiles.py; do not edit. */"]
    text += ["/* clang-format off */"]
    text += rows("exp2_table", "u64", exp2)
    text += rows("log2_table", "u64", log2)
    text += rows("normal_table", "u64", norm)
    text = "\n".join(text) + "\n"
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        if open(sys.argv[2]).read() != text:
            sys.exit("%s is not what tools/gen_quantiles.py makes" % sys.argv[2])
        return
    sys.stdout.write(text)


main()
