library(kith)
set.seed(1)
n <- 200
data <- data.frame(
  age = sample(c(18:80, NA), n, TRUE), sex = factor(sample(c("f", "m"), n, TRUE), levels = c("m", "f", "x")),
  day = as.Date("2024-01-01") + sample(0:59, n, TRUE), name = sprintf("p%03d", seq_len(n)), weight = runif(n),
  city = sample(c("K\u00f6ln", "Bonn"), n, TRUE), ok = sample(c(TRUE, FALSE), n, TRUE), stringsAsFactors = FALSE)
column <- function(name, role, ...) list(name = name, role = role, ...)
study <- list(study = "r", privacy = list(list(model = "k-anonymity", k = 5)), utility = list(suppression = 0.05),
  columns = list(
    column("age", "quasi-identifying", type = "integer", hierarchy = list(intervals = c(10, 40))),
    column("sex", "quasi-identifying"),
    column("day", "quasi-identifying", type = "date", format = "%d.%m.%Y", hierarchy = list(dates = c("month", "year"))),
    column("name", "identifying"), column("weight", "insensitive", type = "decimal"),
    column("city", "sensitive"), column("ok", "insensitive")))
release <- anonymize(data, study, seed = 1, threads = 1)
stopifnot(inherits(release, "kith_release"), nrow(release$data) == n)
stopifnot(identical(names(release$data), c("age", "sex", "day", "weight", "city", "ok")), release$summary$order == "sorted")
# Columns come in the order of the data, rows sorted by their cells unless they keep theirs.
turned <- replace(study, "columns", list(rev(study$columns)))
same <- withCallingHandlers(anonymize(data, turned, seed = 1, threads = 1, keep_order = TRUE),
  warning = function(w) { warned <<- conditionMessage(w); invokeRestart("muffleWarning") })$data
stopifnot(grepl("in the order of the data", warned), identical(names(same), names(release$data)))
lines <- function(frame) do.call(paste, lapply(frame, as.character))
stopifnot(identical(sort(lines(same)), sort(lines(release$data))), !is.unsorted(rank(as.character(release$data$age))))

# Classes are as large as they must be; what is not generalized is as it was.
key <- lines(same[c("age", "sex", "day")])
kept <- key != "* * *" # the others are suppressed
stopifnot(min(table(key[kept])) >= 5, identical(same$weight[kept], data$weight[kept]), identical(same$ok[kept], data$ok[kept]))
stopifnot(identical(same$city[kept], data$city[kept]), is.factor(same$sex), sum(kept) >= 0.95 * n)
stopifnot(identical(release$data, anonymize(data, study, seed = 1, threads = 2)$data))

verdict <- verify(release, study, data)
stopifnot(verdict$holds, !verify(data[names(release$data)], study)$holds)
stopifnot(measure(data, release, study, seed = 1)$loss$lm > 0)
anonymize(data, study, seed = 1, threads = 1, mapping = file.path(tempdir(), "mapping.csv"))
stopifnot(verify(release, study, data, mapping = read.csv(file.path(tempdir(), "mapping.csv")))$cover$check == "in order")
# Persons are counted by a mapping; without it nothing is known.
visits <- list(study = "visits", columns = list(list(name = "id", role = "identifying"), list(name = "sex", role = "quasi-identifying")),
  privacy = list(list(model = "k-anonymity", k = 2)), unit = "id")
rows <- data.frame(id = c(1, 1, 2, 3, 3, 4), sex = c("f", "f", "f", "m", "m", "m")); map <- tempfile(fileext = ".csv")
made <- anonymize(rows, visits, seed = 1, threads = 1, mapping = map)
stopifnot(made$summary$persons == 4, is.null(verify(made, visits, rows)$holds), verify(made, visits, rows)$not_checked == "units")
stopifnot(verify(made, visits, rows, mapping = read.csv(map))$holds)
two <- data.frame(sex = rep(c("f", "m"), c(5, 6))); back <- two[11:1, , drop = FALSE]
sexes <- replace(study, "columns", list(study$columns[2])); whose <- data.frame(confidential_row = 1:11, release_row = 11:1)
stopifnot(verify(back, sexes, two)$cover$check == "matched", verify(back, sexes, two, mapping = whose)$cover$mapping)
stopifnot(describe(data)$rows == n, describe(data, study)$rows == n)

labels <- hierarchy(c(3L, 17L, 42L, 17L), list(intervals = c(10, 50)))
stopifnot(nrow(labels) == 3, identical(labels[1, "value"], c(value = "3")), ncol(labels) >= 3)
own <- anonymize(data, study, list(sex = cbind(c("m", "f"), "*")), seed = 1, threads = 1)
stopifnot(verify(own, study, data, list(sex = cbind(c("m", "f"), "*")))$holds)

# Failures have the class of their status.
study$privacy[[1]]$k <- 1000
stopifnot(inherits(tryCatch(anonymize(data, study), error = identity), "kith_infeasible"))
stopifnot(inherits(tryCatch(anonymize(data, list(study = "r")), error = identity), "kith_error"))
stopifnot(grepl("no column", conditionMessage(tryCatch(anonymize(data[1:3], study), error = identity))))
wrong <- function(expression) conditionMessage(tryCatch(expression, error = identity))
stopifnot(wrong(anonymize(data, NA_character_)) == "the study is NA", wrong(hierarchy(1:3, NA_character_)) == "the builder is NA")
stopifnot(wrong(describe(setNames(data[1:2], c("age", NA)))) == "the name of a column is NA")
for (seed in list(-1, 1.5, 1e300, NaN, "1", 1:2)) stopifnot(grepl("^seed is not a whole number", wrong(anonymize(data, study, seed = seed))))
for (threads in list(-1, NA, 1e9)) stopifnot(grepl("^threads is not a whole number", wrong(anonymize(data, study, threads = threads))))
stopifnot(wrong(anonymize(data, study, list(cbind(c("m", "f"), "*")))) == "a hierarchy has no name of a column")
