#!/usr/bin/env python3
"""Compares schedules of moldable jobs with reference schedules: the size, the start and the end of every job.

usage: compare_moldable.py BACKSWEEP SCENARIOS.json

A scenario has a machine of P nodes, a policy (fair or iter), options, jobs with id, submit, run, n0, est (seconds, on n0 nodes), A and sigma,
and expects size, start_ms and end_ms by id. Times are compared as milliseconds. A policy that the program does not know is reported, not compared.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

FIELDS = {"obf": "overbooking", "EF": "efficiency"}
WORDS = {
    "ef": {"directional": "movable: Directional", "printed": "movable: Printed"},
}
POLICIES = {"fair": "FairShare", "iter": "Iterative"}


def policy_text(scenario):
    fields = []
    for name, value in scenario["options"].items():
        if name in FIELDS:
            fields.append(f"{FIELDS[name]}: {float(value)}")
        elif value in WORDS.get(name, {}):
            fields.append(WORDS[name][value])
        else:
            sys.exit(f"{scenario['name']}: the setting {name} = {value} is not known here")
    return f"{POLICIES[scenario['policy']]}({', '.join(fields)})"


def case_text(scenario):
    speedups = ", ".join(f"(parallelism: {job['A']}, sigma: {job['sigma']})" for job in scenario["jobs"])
    return (
        f"(machine: Flat(nodes: {scenario['P']}), policy: {policy_text(scenario)}, "
        f"workload: (source: File(path: \"jobs.swf\"), moldable: Some(Listed(speedups: [{speedups}]))))"
    )


def log_text(scenario):
    def line(job):
        return (
            f"{job['id']} {job['submit']} -1 {job['run']} {job['n0']} -1 -1 {job['n0']} {job['est']} "
            "-1 1 1 1 1 1 1 -1 -1"
        )

    return "".join(line(job) + "\n" for job in scenario["jobs"])


def schedule(backsweep, scenario):
    with tempfile.TemporaryDirectory() as folder:
        case, log, out = (pathlib.Path(folder, name) for name in ["case.ron", "jobs.swf", "jobs.csv"])
        case.write_text(case_text(scenario))
        log.write_text(log_text(scenario))
        command = [backsweep, "simulate", "--case", str(case), "--swf", str(log), "--jobs-out", str(out)]
        done = subprocess.run(command, capture_output=True, text=True)
        if "unknown policy" in done.stderr:
            return None
        if done.returncode != 0:
            sys.exit(f"{scenario['name']}: {done.stderr}")
        rows = [row.split(",") for row in out.read_text().splitlines()[1:]]
    return {
        number: {"size": int(size), "start_ms": round(float(start) * 1000), "end_ms": round(float(end) * 1000)}
        for number, _, start, end, size in rows
    }


def main():
    backsweep, path = sys.argv[1:]
    wrong = 0
    for scenario in json.loads(pathlib.Path(path).read_text()):
        name, expected, found = scenario["name"], scenario["expect"], schedule(backsweep, scenario)
        if found is None:
            print(f"{name}: not compared, there is no {POLICIES[scenario['policy']]}")
            continue
        wrong += found != expected
        print(f"{name}: {len(expected)} jobs, {'equal' if found == expected else 'DIFFERENT'}")
        for number, theirs in expected.items():
            if found.get(number) != theirs:
                print(f"  job {number}: {found.get(number)}, expected {theirs}")
    sys.exit(wrong > 0)


main()
