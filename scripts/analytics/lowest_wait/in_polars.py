"""Which policy has the lowest mean wait at each load, by how much is it below first come, first served, and is the difference,
paired by replication, clear of its 95 % interval?

usage: python3 scripts/analytics/lowest_wait/in_polars.py results/smoke/smoke
"""
import pathlib
import sys

import polars as pl

folder = pathlib.Path(sys.argv[1])
of_waits = pl.col("metric") == "mean_wait_s"
best = (
    pl.scan_parquet(folder / "summary.parquet")
    .filter(of_waits)
    # The first of each load; ties go to the policy whose name comes first.
    .sort("load", "mean", "policy")
    .group_by("load", maintain_order=True)
    .first()
)
against_fcfs = pl.scan_parquet(folder / "comparisons.parquet").filter(of_waits & (pl.col("comparison") == "against_fcfs"))
answer = (
    # The baseline has no row of its own: where it is the best, the difference is null.
    best.join(against_fcfs, on=["load", "policy"], how="left")
    .sort("load")
    .select(
        "load",
        "policy",
        mean_wait_s="mean",
        difference_s="mean_difference",
        low_s="difference_ci_low",
        high_s="difference_ci_high",
        clear=pl.col("difference_ci_high") < 0,
    )
    .collect()
)
print(answer.write_csv(), end="")
