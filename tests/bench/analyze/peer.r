# What upstream's statistics.r does with such a folder: every file through read.csv2, all values of a
# configuration in one row of a matrix, then mean, sd, quantiles. Arguments: folder, loops, calls.
arguments <- commandArgs(TRUE)
loops <- as.integer(arguments[2])
calls <- as.integer(arguments[3])
kept <- calls - calls %/% 2
all <- array(dim = c(4, loops * kept))
for (configuration in 0:3) {
   for (loop in 1:loops) {
      file <- sprintf("%s/raw-%d-10-%d.csv", arguments[1], loop, configuration)
      values <- read.csv2(file, nrows = kept, skip = calls %/% 2, quote = "", header = FALSE, comment.char = "",
                          colClasses = c("NULL", "numeric", "numeric", "numeric"),
                          col.names = c("thread", "ns", "heap", "collections"))
      all[configuration + 1, ((loop - 1) * kept + 1):(loop * kept)] <- values[["ns"]]
   }
}
for (configuration in 1:4) {
   values <- all[configuration, ] / 1000
   print(c(mean(values), sd(values), qnorm(0.975) * sd(values) / sqrt(length(values)),
           quantile(values, probs = c(0.25, 0.5, 0.75)), max(values), min(values)))
}
