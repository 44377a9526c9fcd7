#!/usr/bin/env python3
"""Compares priority backfilling on hosts with reference schedules: the start, the end and the host of every job.

usage: compare_hosts.py BACKSWEEP SCENARIOS.json

A scenario has hosts [name, processors, MB], a policy (order), opts (n reservations, fixed, slide), jobs [id, submit, processors, MB, requested s,
run s] and expects [id, start, host, end]. Schedules are read from the page that `backsweep gantt` draws.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ORDERS = {"fcfs": "Arrival", "sjf": "ShortestFirst"}
KNOWN = {"n", "fixed", "slide"}


def case_text(scenario):
    opts = scenario["opts"]
    unknown = set(opts) - KNOWN
    if unknown:
        sys.exit(f"the scenario has settings that are not known here: {sorted(unknown)}")
    hosts = ", ".join(f'(name: "{name}", processors: {size}, memory_mb: {mb})' for name, size, mb in scenario["hosts"])
    holders = "FixedJob" if opts.get("fixed") else "DynamicJob"
    slide = "Sliding" if opts.get("slide", 1) else "NonSliding"
    return (
        f"(machine: Hosts(hosts: [{hosts}]), policy: PriorityBackfill(order: {ORDERS[scenario['policy']]}, "
        f"reservations: AtMost({opts.get('n', 1)}), holders: {holders}, slide: {slide}))"
    )


def log_text(scenario):
    lines = []
    for job, submit, size, mb, requested, run in scenario["jobs"]:
        # A log has kilobytes per processor.
        kb = -(-mb * 1024 // size)
        lines.append(f"{job} {submit} -1 {run} {size} -1 -1 {size} {requested} {kb} 1 1 1 1 1 1 -1 -1")
    return "\n".join(lines) + "\n"


def drawn(backsweep, scenario):
    with tempfile.TemporaryDirectory() as folder:
        case, log, page = (pathlib.Path(folder, name) for name in ["case.ron", "log.swf", "page.html"])
        case.write_text(case_text(scenario))
        log.write_text(log_text(scenario))
        command = [backsweep, "gantt", "--case", str(case), "--swf", str(log), "-o", str(page)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.S)
        return json.loads(data.group(1))


def schedule(scenario, data):
    first_of, first = {}, 0
    for name, size, _ in scenario["hosts"]:
        first_of[name] = first
        first += size
    found = []
    for index, number in enumerate(data["jobs"]["id"]):
        node = min(node for job, node in zip(data["pieces"]["job"], data["pieces"]["first"]) if job == index)
        host = max((name for name in first_of if first_of[name] <= node), key=first_of.get)
        found.append([number, data["jobs"]["start"][index], host, data["jobs"]["end"][index]])
    return sorted(found)


def main():
    backsweep, path = sys.argv[1:]
    wrong = 0
    for name, scenario in json.loads(pathlib.Path(path).read_text()).items():
        found, expected = schedule(scenario, drawn(backsweep, scenario)), sorted(scenario["expect"])
        wrong += found != expected
        print(f"{name}: {len(expected)} jobs, {'equal' if found == expected else 'DIFFERENT'}")
        for ours, theirs in zip(found, expected):
            if ours != theirs:
                print(f"  {ours}, expected {theirs}")
    sys.exit(wrong > 0)


main()
