#!/usr/bin/env python3
"""Reads every table below a folder with DuckDB, Polars, pandas and pyarrow, and checks that all see the same.

usage: read_tables.py RESULTS
"""
import math
import pathlib
import sys

import duckdb
import pandas
import polars
import pyarrow
import pyarrow.parquet


def same(a, b):
    if a is None or b is None:
        return a is None and b is None
    if isinstance(a, float) or isinstance(b, float):
        return float(a) == float(b)
    return a == b


def check(path):
    by_polars = polars.read_parquet(path)
    by_pandas = pandas.read_parquet(path, dtype_backend="numpy_nullable")
    by_duckdb = duckdb.sql(f"SELECT * FROM read_parquet('{path}')")
    assert by_polars.columns == list(by_pandas.columns) == by_duckdb.columns, path
    rows = by_duckdb.fetchall()
    assert len(rows) == by_polars.height == len(by_pandas), path
    for duck, polar in zip(rows, by_polars.iter_rows()):
        assert all(same(a, b) for a, b in zip(duck, polar)), (path, duck, polar)
    for column in by_polars.columns:
        values = by_polars[column].to_list()
        assert not any(isinstance(v, float) and math.isnan(v) for v in values), (path, column, "NaN")
        missing = by_pandas[column].isna().tolist()
        assert missing == [v is None for v in values], (path, column)
    # R's package arrow is the same library as pyarrow: it must find plain types, and the rows.
    by_arrow = pyarrow.parquet.read_table(path)
    assert {str(field.type) for field in by_arrow.schema} <= {"string", "double", "int64", "bool"}, by_arrow.schema
    assert b"schema_version" in by_arrow.schema.metadata, by_arrow.schema.metadata
    assert by_arrow.to_pydict() == by_polars.to_dict(as_series=False), path
    print(f"{path.name:22} {by_polars.height:6} rows, {len(by_polars.columns):3} columns")
    return by_polars.height


def answer(folder):
    """A question a reader would ask: the mean wait by policy and load, from the runs, equals the summary."""
    runs, summary = folder / "runs.parquet", folder / "summary.parquet"
    rows = duckdb.sql(
        f"""
        SELECT r.policy, r.load, avg(r.mean_wait_s) AS wait, any_value(s.mean) AS summary
        FROM read_parquet('{runs}') r JOIN read_parquet('{summary}') s
          ON r.policy = s.policy AND r.load = s.load AND s.metric = 'mean_wait_s'
        GROUP BY ALL ORDER BY ALL
        """
    ).fetchall()
    assert rows, "no rows"
    for policy, load, wait, mean in rows:
        assert math.isclose(wait, mean, rel_tol=1e-9), (policy, load, wait, mean)
        print(f"  {policy:14} load {load:.2f}: mean wait {wait:10.1f} s")


def main():
    root = pathlib.Path(sys.argv[1])
    paths = sorted(root.glob("*/*/*.parquet"))
    assert len({p.name for p in paths}) == 6, paths
    assert sum(check(path) for path in paths) > 0
    answer(root / "smoke" / "smoke")
    versions = {module.__name__: module.__version__ for module in (duckdb, polars, pandas, pyarrow)}
    print(f"{len(paths)} tables read alike by", ", ".join(f"{name} {version}" for name, version in versions.items()))


if __name__ == "__main__":
    main()
