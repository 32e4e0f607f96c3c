# ROCK as the R package cba has it, on a table of 0 and 1.
#
#   Rscript rock_in_r.R ITEMS THETA K FOLDER
#
# ITEMS is a CSV file without a header: one row per record, one column per item, 1 where the record
# has the item. Writes FOLDER/labels.txt (the cluster of each record, from 1), FOLDER/merges.txt (what
# rockCluster tells of every merge) and FOLDER/other.txt (the version of cba, and seconds).

suppressMessages(library(cba))

asked <- commandArgs(trailingOnly = TRUE)
items <- as.matrix(read.csv(asked[1], header = FALSE)) == 1
seconds <- system.time(told <- capture.output(
  found <- rockCluster(items, n = as.integer(asked[3]), theta = as.numeric(asked[2]), debug = TRUE)
))["elapsed"]
within <- function(name) file.path(asked[4], name)
writeLines(as.character(as.integer(found$cl)), within("labels.txt"))
writeLines(told[grepl("\\[", told)], within("merges.txt"))
writeLines(c(as.character(packageVersion("cba")), as.character(seconds)), within("other.txt"))
