#!/usr/bin/env python3
"""Compares runs of time slicing with node memory with reference timelines, event by event.

usage: compare_events.py BACKSWEEP SCENARIOS.json

A scenario has a config, jobs (id, arr, w nodes, run s, mem) and cases: more config, the expected jobs and overhead, and a log of events:
[time, "load" | "run", job, nodes, seconds], [time, "preempt" | "finish", job], [time, "swapout", job, seconds]. The order of the
events of one instant does not count. The events are read from the page that `backsweep gantt` draws.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ALLOCATORS = {"first_free": "FirstFree", "intelligent": "IntelligentNodeSelection"}
BACKFILL = {"conservative": "ProtectAll", "easy": "ProtectFirst"}
CHARGES = {"described": "AllDisplaced", "as_printed": "LastDisplaced"}
KNOWN = {"nodes", "alloc", "shares", "interval", "backfill", "charge"}


def case_text(config):
    unknown = set(config) - KNOWN
    if unknown:
        sys.exit(f"the scenario has settings that are not known here: {sorted(unknown)}")
    shares = config["shares"]
    return (
        f"(machine: Flat(nodes: {config['nodes']}), estimates: Actual, allocator: {ALLOCATORS[config['alloc']]}, "
        f"memory: Some((capacity_kb: 400, transfer_s: 100, swap_charge: {CHARGES[config.get('charge', 'described')]})), "
        f"policy: TimeSlicing(interval_s: {config['interval']}, backfill: {BACKFILL[config.get('backfill', 'conservative')]}, "
        f"shares: (long: {shares['L']}, medium: {shares['M']}, short: {shares['S']})))"
    )


def log_text(config, jobs):
    lines = [f"; MaxNodes: {config['nodes']}", f"; MaxProcs: {config['nodes']}"]
    for job in sorted(jobs, key=lambda job: (job["arr"], job["id"])):
        w, run = job["w"], job["run"]
        # A log numbers its jobs from 1.
        lines.append(f"{job['id'] + 1} {job['arr']} -1 {run} {w} -1 -1 {w} {run} {job['mem']} 1 1 1 1 1 1 -1 -1")
    return "\n".join(lines) + "\n"


def drawn(backsweep, config, jobs):
    with tempfile.TemporaryDirectory() as folder:
        case, log, page = (pathlib.Path(folder, name) for name in ["case.ron", "log.swf", "page.html"])
        case.write_text(case_text(config))
        log.write_text(log_text(config, jobs))
        command = [backsweep, "gantt", "--case", str(case), "--swf", str(log), "-o", str(page)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.S)
        return json.loads(data.group(1))


def timeline(data):
    """Events as in the reference, and what became of each job."""
    pieces = [dict(zip(data["pieces"], values)) for values in zip(*data["pieces"].values())]
    swaps = list(zip(data["swaps"]["job"], data["swaps"]["at"], data["swaps"]["charge"]))
    events, jobs = [], {}
    for index, number in enumerate(data["jobs"]["id"]):
        job, end = number - 1, data["jobs"]["end"][index]
        stretches = {}
        for piece in (piece for piece in pieces if piece["job"] == index):
            key = (piece["from"], piece["to"], piece["loading"])
            stretches.setdefault(key, []).extend(range(piece["first"], piece["last"] + 1))
        stretches = sorted(stretches.items())
        begins = {start for (start, _, _), _ in stretches}
        for (start, stop, loading), nodes in stretches:
            # What is left to do: all work yet to come, less what is charged later.
            rest = sum(b - a for (a, b, load), _ in stretches if a >= start and not load)
            rest -= sum(charge for other, at, charge in swaps if other == index and at > start)
            seconds = stop - start if loading else rest
            events.append([start, "load" if loading else "run", job, sorted(nodes), seconds])
            if stop != end and stop not in begins:
                events.append([stop, "preempt", job])
        events.append([end, "finish", job])
        jobs[job] = {
            "start": data["jobs"]["start"][index],
            "end": end,
            "load": data["jobs"]["load"][index],
            "swap": data["jobs"]["swap"][index],
            "nodes": sorted(stretches[0][1]),
        }
    events += [[at, "swapout", data["jobs"]["id"][index] - 1, charge] for index, at, charge in swaps]
    return events, jobs


def compare(backsweep, name, scenario, case):
    config = {**scenario["config"], **case["config"]}
    events, jobs = timeline(drawn(backsweep, config, scenario["jobs"]))
    order = lambda event: json.dumps([event[0], *map(str, event[1:])])
    expected, found = sorted(case["log"], key=order), sorted(events, key=order)
    missing = [event for event in expected if event not in found]
    surplus = [event for event in found if event not in expected]
    for job in case["expect"]["jobs"]:
        ours = jobs[job["id"]]
        wrong = {key: (ours[key], job[key]) for key in ours if ours[key] != job[key]}
        if wrong:
            surplus.append(["job", job["id"], wrong])
    overhead = sum(job["load"] + job["swap"] for job in jobs.values())
    if overhead != case["expect"]["overhead"]:
        surplus.append(["overhead", overhead, case["expect"]["overhead"]])
    print(f"{name}, {case['name']}: {len(expected)} events, {len(missing)} missing, {len(surplus)} wrong")
    for event in missing:
        print("  missing", event)
    for event in surplus:
        print("  wrong", event)
    return not missing and not surplus


def main():
    backsweep, path = sys.argv[1], pathlib.Path(sys.argv[2])
    scenarios = json.loads(path.read_text())
    results = [
        compare(backsweep, name, scenario, case)
        for name, scenario in scenarios.items()
        for case in scenario["cases"]
    ]
    print(f"{sum(results)} of {len(results)} reference timelines agree on every event")
    sys.exit(0 if results and all(results) else 1)


if __name__ == "__main__":
    main()
