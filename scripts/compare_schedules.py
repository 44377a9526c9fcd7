#!/usr/bin/env python3
"""Compares `backsweep simulate` with reference schedules, start by start.

usage: compare_schedules.py BACKSWEEP FOLDER

FOLDER holds workloads `NAME.swf.gz` and, for each, schedules `NAME.POLICY[-contiguous-K-N].PASSES.csv` with the columns job and
start (seconds). NAME begins with the model and the number of nodes, as in lublin256-3k. PASSES is per-instant or per-event.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile


def starts(path, column):
    with open(path, newline="") as file:
        return {int(row["job"]): float(row[column]) for row in csv.DictReader(file)}


def compare(backsweep, workload, reference):
    nodes = re.match(r"[a-z]+(\d+)", workload.name).group(1)
    policy, passes = reference.name[len(workload.name) - len("swf.gz"):].split(".")[:2]
    command = [backsweep, "simulate", "--swf", str(workload), "--nodes", nodes, "--passes", passes]
    match = re.fullmatch(r"(\w+)-contiguous-(\d+)-(\d+)", policy)
    if match:
        command += ["--policy", match.group(1), "--allocator", f"contiguous:{match.group(2)},{match.group(3)}"]
    else:
        command += ["--policy", policy]
    with tempfile.TemporaryDirectory() as folder:
        ours = pathlib.Path(folder, "jobs.csv")
        done = subprocess.run(command + ["--jobs-out", str(ours)], capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stderr, file=sys.stderr)
            return False
        found, wanted = starts(ours, "start_s"), starts(reference, "start")
    differing = [job for job in wanted if found.get(job) != wanted[job]]
    print(f"{reference.name}: {len(wanted)} starts, {len(differing)} differ")
    return bool(wanted) and not differing and len(found) == len(wanted)


def main():
    backsweep, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    results = [
        compare(backsweep, workload, reference)
        for workload in sorted(folder.glob("*.swf.gz"))
        for reference in sorted(folder.glob(workload.name[: -len("swf.gz")] + "*.csv"))
    ]
    print(f"{sum(results)} of {len(results)} reference schedules agree on every start")
    sys.exit(0 if results and all(results) else 1)


if __name__ == "__main__":
    main()
