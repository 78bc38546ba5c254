TYPES <- c(string = 0L, integer = 1L, decimal = 2L, date = 3L)
STATUSES <- c("nomem", "invalid", "data", "io", "peer", "infeasible", "cancelled", "bug")

# What a call returns, or its failure as a condition whose class has the status.
check <- function(result) {
  if (!inherits(result, "kith_failure")) return(result)
  if (nzchar(result$hint)) result$message <- paste0(result$message, " (", result$hint, ")")
  class(result) <- c(paste0("kith_", STATUSES[result$status]), "kith_error", "error", "condition")
  stop(result)
}

# Texts and counts for the library, which knows no NA there.
texts <- function(x, what) if (anyNA(x)) stop(what, " is NA") else enc2utf8(x)
count <- function(x, what, most) {
  if (is.numeric(x) && length(x) == 1 && isTRUE(x >= 0 && x <= most && x == trunc(x))) return(as.double(x))
  stop(what, " is not a whole number from 0 to ", most)
}

# Numbers as short texts that are read as the same numbers.
number_texts <- function(x) {
  short <- sprintf("%.15g", x)
  ifelse(abs(x) < 1e15 & x == trunc(x), sprintf("%.0f", x), ifelse(as.numeric(short) == x, short, sprintf("%.17g", x)))
}

# JSON is YAML, so that a study may be a list.
as_yaml <- function(x) {
  if (is.list(x) || length(x) != 1) {
    parts <- vapply(as.list(x), as_yaml, "")
    if (is.null(names(x))) return(paste0("[", paste(parts, collapse = ", "), "]"))
    return(paste0("{", paste0(encodeString(names(x), quote = "\""), ": ", parts, collapse = ", "), "}"))
  }
  if (is.logical(x)) tolower(x) else if (is.numeric(x)) number_texts(x) else encodeString(x, quote = "\"")
}

# A study from the path of a file, the lines of its text, or a list.
as_study <- function(study, hierarchies = NULL) {
  if (is.list(study)) study <- as_yaml(study)
  text <- length(study) != 1 || grepl("[\n{]", study)
  study <- texts(study, "the study")
  made <- check(.Call(c_study, if (!text) path.expand(study), if (text) paste(study, collapse = "\n")))
  if (sum(nzchar(names(hierarchies))) < length(hierarchies)) stop("a hierarchy has no name of a column")
  for (column in names(hierarchies)) {
    labels <- as.matrix(hierarchies[[column]])
    made <- check(.Call(c_study_with, made, texts(column, "the name of a hierarchy"), enc2utf8(as.character(t(labels))), dim(labels)))
  }
  made
}

# The type of a vector, and its codes and values as texts; dates are written in the column's format.
type_of <- function(x) {
  if (inherits(x, "Date")) "date" else if (is.factor(x) || !is.numeric(x)) "string" else if (is.integer(x)) "integer" else "decimal"
}
as_column <- function(x, format = NA) {
  if (is.factor(x)) return(list(as.integer(x), enc2utf8(levels(x))))
  if (!is.atomic(x) && !inherits(x, "POSIXt")) stop("a column of class ", class(x)[1], ": expected a vector, factor or date")
  if (is.numeric(x) && any(is.infinite(x))) stop("an infinite number")
  x <- if (inherits(x, "POSIXt")) as.POSIXct(x) else x
  values <- unique(x[!is.na(x)])
  texts <- if (inherits(x, "Date")) format(values, if (is.na(format)) "%Y-%m-%d" else format)
    else if (inherits(x, "POSIXct")) format(values, if (is.na(format)) "%Y-%m-%dT%H:%M:%SZ" else format, tz = "UTC")
    else if (is.numeric(x)) number_texts(as.numeric(values))
    else if (is.logical(x)) tolower(values) else enc2utf8(as.character(values))
  list(match(x, values), as.character(texts))
}

# A table of the columns, types and formats of a study, or of a frame as it is.
as_table <- function(data, study = NULL) {
  if (is.null(data)) return(NULL)
  if (inherits(data, "kith_release")) data <- data$data
  if (!is.data.frame(data)) stop("expected a data frame, not ", class(data)[1])
  wanted <- if (is.null(study)) list(names = names(data), types = unname(TYPES[vapply(data, type_of, "")]),
                                     formats = rep(NA_character_, ncol(data)))
    else check(.Call(c_study_columns, study))
  missing <- setdiff(wanted$names, names(data))
  if (length(missing) > 0) stop("the data frame has no column ", missing[1])
  if (!is.null(study)) wanted <- lapply(wanted, `[`, order(match(wanted$names, names(data)))) # releases keep this order
  columns <- Map(function(name, format) as_column(data[[name]], format), wanted$names, wanted$formats)
  check(.Call(c_table, study, texts(wanted$names, "the name of a column"), wanted$types, wanted$formats, unname(columns)))
}

# The class that a column had before, if that keeps every value of the release; else texts.
restore <- function(codes, values, before) {
  numbers <- if (is.numeric(before)) suppressWarnings(as.numeric(values))
  if (is.factor(before)) {
    known <- levels(before)[levels(before) %in% values]
    factor(values[codes], levels = c(known, setdiff(values, known)))
  } else if (inherits(before, "Date")) {
    days <- as.Date(values, format = "%Y-%m-%d")
    if (anyNA(days) || any(format(days) != values)) values[codes] else days[codes]
  } else if (is.numeric(before) && !anyNA(numbers) && all(number_texts(numbers) == values)) {
    whole <- is.integer(before) && all(numbers == trunc(numbers) & abs(numbers) < 2^31)
    (if (whole) as.integer(numbers) else numbers)[codes]
  } else if (is.logical(before) && all(values %in% c("false", "true"))) {
    values[codes] == "true"
  } else values[codes]
}

# Reads the JSON that the library writes. Lists of single values of one kind become vectors.
read_json <- function(text) {
  tokens <- regmatches(text, gregexpr('"(\\\\.|[^"\\\\])*"|[][{}:,]|[^][{}:,"[:space:]]+', text, perl = TRUE))[[1]]
  at <- 0
  read <- function() {
    at <<- at + 1
    token <- tokens[at]
    if (token %in% c("{", "[")) return(items(token == "{"))
    if (startsWith(token, "\"")) return(string(token))
    switch(token, true = TRUE, false = FALSE, null = NULL, as.numeric(token))
  }
  string <- function(token) if (grepl("\\", token, fixed = TRUE)) str2lang(token) else substr(token, 2, nchar(token) - 1)
  items <- function(object) {
    made <- list()
    names <- character()
    while (!tokens[at + 1] %in% c("}", "]")) {
      if (tokens[at + 1] == ",") at <<- at + 1
      if (object) {
        names <- c(names, string(tokens[at + 1]))
        at <<- at + 2
      }
      made[length(made) + 1] <- list(read())
    }
    at <<- at + 1
    if (object) return(structure(made, names = names))
    single <- length(made) > 0 && all(lengths(made) == 1) && !any(vapply(made, is.list, NA))
    if (single && length(unique(vapply(made, typeof, ""))) == 1) unlist(made) else made
  }
  read()
}

work <- function(verb, study, data = NULL, release = NULL, mapping = NULL, seed = NULL, threads = 0, keep_order = FALSE) {
  if (!isTRUE(keep_order) && !isFALSE(keep_order)) stop("keep_order is not TRUE or FALSE")
  run <- c(if (is.null(seed)) NA_real_ else count(seed, "seed", 2^53), count(threads, "threads", 65535), keep_order)
  check(.Call(c_work, verb, study, data, release, mapping, run))
}

anonymize <- function(data, study, hierarchies = NULL, seed = NULL, threads = 0, keep_order = FALSE, mapping = NULL) {
  study <- as_study(study, hierarchies)
  if (!is.null(mapping)) mapping <- path.expand(texts(mapping, "the path of the mapping"))
  made <- work("anonymize", study, as_table(data, study), mapping = mapping, seed = seed, threads = threads, keep_order = keep_order)
  columns <- .Call(c_table_columns, made[[2]])
  frame <- Map(function(name, column) restore(column[[1]], column[[2]], data[[name]]), names(columns), columns)
  frame <- structure(frame, row.names = .set_row_names(length(columns[[1]][[1]])), class = "data.frame")
  summary <- read_json(made[[1]])
  for (text in summary$warnings) warning(text, call. = FALSE)
  structure(list(data = frame, summary = summary), class = "kith_release")
}

print.kith_release <- function(x, ...) {
  cat("release:", nrow(x$data), "rows,", ncol(x$data), "columns\n")
  print(utils::head(x$data), ...)
  invisible(x)
}

verify <- function(release, study, data = NULL, hierarchies = NULL, mapping = NULL) {
  study <- as_study(study, hierarchies)
  read_json(work("verify", study, as_table(data, study), as_table(release), as_table(mapping))[[1]])
}

measure <- function(data, release, study, hierarchies = NULL, seed = NULL, mapping = NULL) {
  study <- as_study(study, hierarchies)
  read_json(work("measure", study, as_table(data, study), as_table(release), as_table(mapping), seed = seed)[[1]])
}

describe <- function(data, study = NULL, hierarchies = NULL) {
  study <- if (!is.null(study)) as_study(study, hierarchies)
  read_json(work("describe", study, as_table(data))[[1]])
}

hierarchy <- function(values, builder) {
  if (is.list(builder)) builder <- as_yaml(builder)
  labels <- check(.Call(c_hierarchy, as_table(data.frame(x = values)), texts(builder, "the builder")))
  colnames(labels) <- c("value", if (ncol(labels) > 1) paste0("level", seq_len(ncol(labels) - 1)))
  labels
}
