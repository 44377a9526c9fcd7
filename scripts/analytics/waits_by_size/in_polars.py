"""Which sizes of jobs gain by backfilling? The mean wait of each class of sizes at the highest load under each policy, all jobs of
all replications taken together, and its share of that under first come, first served.

usage: python3 scripts/analytics/waits_by_size/in_polars.py results/smoke/smoke
"""
import pathlib
import sys

import polars as pl

folder = pathlib.Path(sys.argv[1])
weighted = (pl.col("jobs") * pl.col("mean_wait_s")).sum() / pl.col("jobs").sum()
waits = (
    pl.scan_parquet(folder / "groups.parquet")
    # A class without jobs has no mean.
    .filter(pl.col("grouping") == "size", pl.col("mean_wait_s").is_not_null())
    .filter(pl.col("load") == pl.col("load").max())
    # Means of replications are weighted with their jobs.
    .group_by("group", "policy")
    .agg(mean_wait_s=weighted)
)
fcfs = waits.filter(pl.col("policy") == "Fcfs").select("group", fcfs="mean_wait_s")
answer = (
    waits.join(fcfs, on="group")
    .sort("group", "policy")
    .select("group", "policy", "mean_wait_s", of_fcfs=pl.col("mean_wait_s") / pl.col("fcfs"))
    .collect()
)
print(answer.write_csv(), end="")
