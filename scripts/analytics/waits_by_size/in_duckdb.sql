-- Which sizes of jobs gain by backfilling? The mean wait of each class of sizes at the highest load under each policy, all jobs of
-- all replications taken together, and its share of that under first come, first served.
--
-- usage: duckdb -csv -cmd "SET VARIABLE folder = 'results/smoke/smoke'" < scripts/analytics/waits_by_size/in_duckdb.sql
WITH of_size AS (
    SELECT "group", policy, jobs, mean_wait_s
    FROM read_parquet(getvariable('folder') || '/groups.parquet')
    -- A class without jobs has no mean.
    WHERE grouping = 'size' AND mean_wait_s IS NOT NULL
    QUALIFY load = max(load) OVER ()
),
waits AS (
    -- Means of replications are weighted with their jobs.
    SELECT "group", policy, sum(jobs * mean_wait_s) / sum(jobs) AS mean_wait_s
    FROM of_size
    GROUP BY "group", policy
)
SELECT waits."group", waits.policy, waits.mean_wait_s, waits.mean_wait_s / fcfs.mean_wait_s AS of_fcfs
FROM waits
JOIN waits AS fcfs ON fcfs."group" = waits."group" AND fcfs.policy = 'Fcfs'
ORDER BY waits."group", waits.policy;
