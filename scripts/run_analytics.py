#!/usr/bin/env python3
"""Runs every example in scripts/analytics on the tables of an experiment, and checks that all languages give the same answer.

usage: run_analytics.py RESULTS/STUDY/EXPERIMENT
"""
import csv
import io
import math
import pathlib
import shutil
import subprocess
import sys

import duckdb

ENDINGS = {".sql", ".py", ".R"}


def by_duckdb(path, folder):
    connection = duckdb.connect()
    connection.execute(f"SET VARIABLE folder = '{folder}'")
    found = connection.sql(path.read_text())
    return [found.columns, *([("" if cell is None else str(cell)) for cell in row] for row in found.fetchall())]


def by_program(program, path, folder):
    done = subprocess.run([program, str(path), str(folder)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{path}: {done.stderr}")
    return list(csv.reader(io.StringIO(done.stdout)))


def same(a, b):
    if a.lower() == b.lower():
        return True
    try:
        return math.isclose(float(a), float(b), rel_tol=1e-9)
    except ValueError:
        return False


def answer(path, folder):
    """The lines of an answer, the names of the columns first; nothing where there is no R."""
    if path.suffix == ".sql":
        return by_duckdb(path, folder)
    if path.suffix == ".py":
        return by_program(sys.executable, path, folder)
    if shutil.which("Rscript") is None:
        return None
    return by_program("Rscript", path, folder)


def main():
    folder, questions = pathlib.Path(sys.argv[1]), sorted(pathlib.Path(__file__).with_name("analytics").iterdir())
    assert len(questions) >= 2, questions
    for question in questions:
        paths = sorted(question.iterdir())
        assert {path.suffix for path in paths} == ENDINGS and len(paths) == 4, paths
        first, agreed = None, []
        for path in paths:
            found = answer(path, folder)
            if found is None:
                print(f"skipped: {question.name}/{path.name}: there is no R")
                continue
            first = first or found
            alike = len(found) == len(first) > 1 and all(
                len(ours) == len(theirs) and all(map(same, ours, theirs)) for ours, theirs in zip(found, first)
            )
            assert alike, (path, found, first)
            agreed.append(path.name)
        print(f"{question.name}: {', '.join(agreed)} agree")
        for line in first:
            print("  " + ",".join(line))


if __name__ == "__main__":
    main()
