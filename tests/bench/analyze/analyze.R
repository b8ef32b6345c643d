# What upstream's script does with a file: read all, drop the first half, mean, sd, quantiles.
directory <- commandArgs(trailingOnly = TRUE)[1]
for (file in list.files(directory, pattern = "\\.csv$", full.names = TRUE)) {
  ns <- read.csv2(file, header = FALSE, colClasses = c("NULL", "numeric", "NULL", "NULL"))[[1]]
  ns <- ns[(length(ns) %/% 2 + 1):length(ns)]
  cat(mean(ns), sd(ns), quantile(ns, type = 7), "\n")
}
