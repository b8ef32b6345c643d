# Reads a moowatch server and draws the two figures of the thesis that MooBench comes from. Base R and jsonlite:
#   Rscript moowatch.R http://127.0.0.1:8300 kieker-java figures.pdf
# or, from a session: source("moowatch.R"); nights <- moowatch_portions("http://127.0.0.1:8300", "kieker-java")

# Every page of a list of the API, newest first.
moowatch_items <- function(server, path, token = Sys.getenv("MOOWATCH_TOKEN"), query = "") {
  headers <- if (nzchar(token)) c(Authorization = paste("Bearer", token)) else NULL
  items <- list()
  cursor <- ""
  repeat {
    asked <- paste0("?limit=500", query, if (nzchar(cursor)) paste0("&cursor=", URLencode(cursor, reserved = TRUE)))
    connection <- url(paste0(sub("/$", "", server), "/api/v1", path, asked), headers = headers)
    text <- paste(readLines(connection, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
    close(connection)
    page <- jsonlite::fromJSON(text, simplifyVector = FALSE)
    items <- c(items, page$items)
    if (is.null(page$`next`)) return(items)
    cursor <- page$`next`
  }
}

or_na <- function(value, empty = NA) if (is.null(value)) empty else value

# A data frame with a row for each portion of each measured night, oldest first. Numbers are in `unit`: "ns", or that of the
# value, though their columns end in _ns.
moowatch_portions <- function(server, project, ...) {
  nights <- rev(moowatch_items(server, paste0("/projects/", URLencode(project, reserved = TRUE), "/nights"), ...))
  rows <- lapply(nights, function(night) lapply(night$portions, function(one) data.frame(
    night = as.Date(night$night), release = or_na(night$release, NA_character_), commit = night$commit$sha,
    level = night$level, portion = one$portion, configuration = one$configuration, unit = or_na(one$unit, "ns"),
    mean_ns = or_na(one$mean_ns, NA_real_), low_ns = or_na(one$low_ns, NA_real_),
    high_ns = or_na(one$high_ns, NA_real_), verdict = or_na(one$verdict, NA_character_))))
  do.call(rbind, unlist(rows, recursive = FALSE))
}

# Likewise of a dimension beside time ("cpu_ms", "start_ms", "lost_percent"), in its unit; total: of the whole configuration.
moowatch_dimension <- function(server, project, dimension, ...) {
  path <- paste0("/projects/", URLencode(project, reserved = TRUE), "/dimensions")
  nights <- rev(moowatch_items(server, path, query = paste0("&dimension=", URLencode(dimension, reserved = TRUE)), ...))
  rows <- lapply(nights, function(night) lapply(night$portions, function(one) data.frame(
    night = as.Date(night$night), commit = night$commit$sha, dimension = dimension, portion = one$portion,
    configuration = one$configuration, mean = or_na(one$mean, NA_real_), low = or_na(one$low, NA_real_),
    high = or_na(one$high, NA_real_), total = or_na(one$total, NA_real_))))
  do.call(rbind, unlist(rows, recursive = FALSE))
}

moowatch_colours <- function(portions) {
  known <- c(T = "#9aa0a6", I = "#3d6ea5", C = "#dd8a1f", W = "#2f8f5b")
  colours <- known[substr(portions, 1, 1)]
  colours[is.na(colours)] <- "#8a5aa8"
  unname(colours)
}

# Response time over time, its portions on top of each other.
moowatch_stacked <- function(portions) {
  portions$portion <- factor(portions$portion, unique(portions$portion))
  heights <- tapply(portions$mean_ns, list(portions$portion, as.character(portions$night)), mean)
  heights[is.na(heights)] <- 0
  barplot(heights / 1e3, col = moowatch_colours(rownames(heights)), border = NA, las = 2, ylab = "response time (µs)",
          cex.names = 0.6, legend.text = TRUE, args.legend = list(x = "topleft", bty = "n"))
}

# The newest night's portions, each with its confidence interval.
moowatch_bars <- function(portions) {
  newest <- portions[portions$night == max(portions$night), ]
  at <- barplot(newest$mean_ns / 1e3, names.arg = newest$portion, col = moowatch_colours(newest$portion), border = NA,
                ylim = c(0, 1.1 * max(newest$high_ns, newest$mean_ns, na.rm = TRUE) / 1e3), ylab = "overhead (µs)",
                main = format(newest$night[1]))
  known <- !is.na(newest$low_ns) & newest$high_ns > newest$low_ns
  if (any(known)) # one too short to be seen is left out, with a warning that says nothing more
    suppressWarnings(arrows(at[known], newest$low_ns[known] / 1e3, at[known], newest$high_ns[known] / 1e3, angle = 90, code = 3,
           length = 0.05))
}

if (!interactive() && sys.nframe() == 0L) {
  arguments <- commandArgs(trailingOnly = TRUE)
  if (length(arguments) != 3) stop("usage: Rscript moowatch.R SERVER PROJECT FIGURES.pdf")
  portions <- moowatch_portions(arguments[1], arguments[2])
  if (is.null(portions)) stop("the project has no measured night")
  times <- portions[portions$unit == "ns", ] # what has a unit of its own is stacked on nothing
  if (nrow(times)) {
    pdf(arguments[3], width = 9, height = 5)
    moowatch_stacked(times)
    moowatch_bars(times)
    invisible(dev.off())
  } else message("no values that are times: no figure")
  newest <- portions[portions$night == max(portions$night), ]
  write.csv(newest[c("night", "portion", "mean_ns", "low_ns", "high_ns", "unit")], row.names = FALSE)
}
