"""Which policy has the lowest mean wait at each load, by how much is it below first come, first served, and is the difference,
paired by replication, clear of its 95 % interval?

usage: python3 scripts/analytics/lowest_wait/in_pandas.py results/smoke/smoke
"""
import pathlib
import sys

import pandas as pd

folder = pathlib.Path(sys.argv[1])
# With nullable types, a comparison with nothing is nothing, not false.
summary = pd.read_parquet(folder / "summary.parquet", dtype_backend="numpy_nullable")
comparisons = pd.read_parquet(folder / "comparisons.parquet", dtype_backend="numpy_nullable")
waits = summary[summary["metric"] == "mean_wait_s"]
# The first of each load; ties go to the policy whose name comes first.
best = waits.sort_values(["load", "mean", "policy"]).groupby("load").head(1)
against_fcfs = comparisons[(comparisons["comparison"] == "against_fcfs") & (comparisons["metric"] == "mean_wait_s")]
# The baseline has no row of its own: where it is the best, the difference is null.
answer = best.merge(against_fcfs, on=["load", "policy"], how="left", suffixes=("", "_of_comparison"))
answer["clear"] = answer["difference_ci_high"] < 0
names = {
    "load": "load",
    "policy": "policy",
    "mean": "mean_wait_s",
    "mean_difference": "difference_s",
    "difference_ci_low": "low_s",
    "difference_ci_high": "high_s",
    "clear": "clear",
}
answer = answer.sort_values("load")[list(names)].rename(columns=names)
print(answer.to_csv(index=False), end="")
