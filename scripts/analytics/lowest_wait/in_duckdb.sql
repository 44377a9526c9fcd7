-- Which policy has the lowest mean wait at each load, by how much is it below first come, first served, and is the difference,
-- paired by replication, clear of its 95 % interval?
--
-- usage: duckdb -csv -cmd "SET VARIABLE folder = 'results/smoke/smoke'" < scripts/analytics/lowest_wait/in_duckdb.sql
WITH best AS (
    SELECT load, policy, mean AS mean_wait_s
    FROM read_parquet(getvariable('folder') || '/summary.parquet')
    WHERE metric = 'mean_wait_s'
    -- The first of each load; ties go to the policy whose name comes first.
    QUALIFY row_number() OVER (PARTITION BY load ORDER BY mean, policy) = 1
)
SELECT
    best.load,
    best.policy,
    best.mean_wait_s,
    c.mean_difference AS difference_s,
    c.difference_ci_low AS low_s,
    c.difference_ci_high AS high_s,
    c.difference_ci_high < 0 AS clear
FROM best
-- The baseline has no row of its own: where it is the best, the difference is null.
LEFT JOIN read_parquet(getvariable('folder') || '/comparisons.parquet') AS c
    ON c.comparison = 'against_fcfs' AND c.metric = 'mean_wait_s' AND c.load = best.load AND c.policy = best.policy
ORDER BY best.load;
