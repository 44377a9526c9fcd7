# Which sizes of jobs gain by backfilling? The mean wait of each class of sizes at the highest load under each policy, all jobs of
# all replications taken together, and its share of that under first come, first served.
#
# usage: Rscript scripts/analytics/waits_by_size/in_r.R results/smoke/smoke
folder <- commandArgs(trailingOnly = TRUE)[1]

# With the package arrow, or with Python's by the package reticulate.
table <- function(name) {
  path <- file.path(folder, paste0(name, ".parquet"))
  if (requireNamespace("arrow", quietly = TRUE)) return(as.data.frame(arrow::read_parquet(path)))
  columns <- reticulate::import("pyarrow.parquet")$read_table(path)$to_pydict()
  as.data.frame(lapply(columns, function(cells) sapply(cells, function(cell) if (is.null(cell)) NA else cell)))
}

# A class without jobs has no mean.
sizes <- subset(table("groups"), grouping == "size" & !is.na(mean_wait_s))
sizes <- subset(sizes, load == max(load))
# Means of replications are weighted with their jobs.
sizes$waits <- sizes$jobs * sizes$mean_wait_s
answer <- aggregate(cbind(waits, jobs) ~ group + policy, sizes, sum)
answer$mean_wait_s <- answer$waits / answer$jobs
fcfs <- subset(answer, policy == "Fcfs")
answer$of_fcfs <- answer$mean_wait_s / fcfs$mean_wait_s[match(answer$group, fcfs$group)]
answer <- answer[order(answer$group, answer$policy, method = "radix"), ]
write.csv(answer[c("group", "policy", "mean_wait_s", "of_fcfs")], row.names = FALSE, quote = FALSE)
