# Which policy has the lowest mean wait at each load, by how much is it below first come, first served, and is the difference,
# paired by replication, clear of its 95 % interval?
#
# usage: Rscript scripts/analytics/lowest_wait/in_r.R results/smoke/smoke
folder <- commandArgs(trailingOnly = TRUE)[1]

# With the package arrow, or with Python's by the package reticulate.
table <- function(name) {
  path <- file.path(folder, paste0(name, ".parquet"))
  if (requireNamespace("arrow", quietly = TRUE)) return(as.data.frame(arrow::read_parquet(path)))
  columns <- reticulate::import("pyarrow.parquet")$read_table(path)$to_pydict()
  as.data.frame(lapply(columns, function(cells) sapply(cells, function(cell) if (is.null(cell)) NA else cell)))
}

waits <- subset(table("summary"), metric == "mean_wait_s")
# The first of each load; ties go to the policy whose name comes first.
waits <- waits[order(waits$load, waits$mean, waits$policy, method = "radix"), ]
best <- waits[!duplicated(waits$load), c("load", "policy", "mean")]

paired <- subset(table("comparisons"), comparison == "against_fcfs" & metric == "mean_wait_s")
paired <- paired[c("load", "policy", "mean_difference", "difference_ci_low", "difference_ci_high")]
# The baseline has no row of its own: where it is the best, the difference is missing.
answer <- merge(best, paired, by = c("load", "policy"), all.x = TRUE)
names(answer) <- c("load", "policy", "mean_wait_s", "difference_s", "low_s", "high_s")
answer$clear <- answer$high_s < 0
write.csv(answer[order(answer$load), ], row.names = FALSE, quote = FALSE, na = "")
