"""Which sizes of jobs gain by backfilling? The mean wait of each class of sizes at the highest load under each policy, all jobs of
all replications taken together, and its share of that under first come, first served.

usage: python3 scripts/analytics/waits_by_size/in_pandas.py results/smoke/smoke
"""
import pathlib
import sys

import pandas as pd

groups = pd.read_parquet(pathlib.Path(sys.argv[1], "groups.parquet"))
# A class without jobs has no mean.
sizes = groups[(groups["grouping"] == "size") & groups["mean_wait_s"].notna()]
sizes = sizes[sizes["load"] == sizes["load"].max()]
# Means of replications are weighted with their jobs.
sums = sizes.assign(waits=sizes["jobs"] * sizes["mean_wait_s"]).groupby(["group", "policy"])[["waits", "jobs"]].sum()
answer = (sums["waits"] / sums["jobs"]).rename("mean_wait_s").reset_index()
fcfs = answer[answer["policy"] == "Fcfs"].set_index("group")["mean_wait_s"]
answer["of_fcfs"] = answer["mean_wait_s"] / answer["group"].map(fcfs)
print(answer.sort_values(["group", "policy"]).to_csv(index=False), end="")
