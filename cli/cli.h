/* What all subcommands share: options, exit statuses, messages. */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <kith/joint.h>
#include <kith/kith.h>
#include <kith/tools.h>

enum {
    EXIT_DONE = 0,
    EXIT_NO = 1,
    EXIT_BAD_INPUT = 2,
    EXIT_PEER = 3,
    EXIT_INFEASIBLE = 4,
    EXIT_LOCAL = 5,
    EXIT_BUG = 70,
    EXIT_INTERRUPTED = 130
};

/* Each subcommand gets its own arguments, argv[0] being its name, and returns the exit status. */
typedef struct subcommand {
    const char *name;
    const char *summary;
    int (*run)(int argc, char **argv);
    bool shares_work; /* between the ranks of an MPI launcher: docs/scale.md */
} subcommand;

extern const subcommand subcommands[]; /* ends with a NULL name; in main.c */

/* One of several things that a subcommand does, as `kith study check`. */
typedef struct verb {
    const char *name;
    char full[24]; /* with the subcommand: its argv[0], for messages */
    int (*run)(int argc, char **argv);
} verb;

/* Runs the verb that argv[1] names and returns true, or returns false if none has this name. */
bool verb_run(int *status, verb *verbs, size_t n_verbs, int argc, char **argv);

/* The command that is spelt most like the word, or NULL if none is near. */
const char *nearest_command(const char *word);

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_COUNT,
    OPTION_SEED,
    OPTION_CHARACTER,
    OPTION_LIST /* may be repeated */
} option_kind;

/* One option and where its value goes: bool, const char *, uint64_t, seed_value, char, text_list.
 */
typedef struct option_spec {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    option_kind kind;
    void *target;
    const char *argument; /* "FILE" in the help; NULL for flags */
    const char *help;
} option_spec;

typedef struct seed_value {
    bool given;
    uint64_t value;
} seed_value;

/* The values of an option that may be repeated. */
enum { LIST_ITEMS = 64 };
typedef struct text_list {
    size_t count;
    const char *items[LIST_ITEMS];
} text_list;

/* The page that --help prints: usage line(s), what it does, options, and a worked example last. */
typedef struct help_page {
    const char *usage;
    const char *text;
    const char *example;
} help_page;

/* Options that most commands take. */
typedef struct common_options {
    seed_value seed;
    uint64_t threads;
    bool quiet;
    bool json;
    bool no_progress;
    bool force;
    char separator;
    const char *encoding;
    bool no_header;
    kith_csv_options csv; /* filled by csv_options */
    const char *summary;
    kith_report_options page;             /* of --report */
    const char *page_data, *page_release; /* what the command knows about them; NULL: nothing */
    bool keeps_best; /* set by commands: an interrupted search has a result, which is kept */
} common_options;

/* What CSV data is like: the options that were given, for the job's options. */
const kith_csv_options *csv_options(common_options *common);
/* The data under a URI with all of these options; it lives as long as they. */
kith_input data_input(common_options *common, const char *uri);

#define OPTION_SEED_ROW(c)                                                                         \
    {                                                                                              \
        "seed", 0, OPTION_SEED, &(c)->seed, "N", "fix the algorithm's random choices (never keys)" \
    }
#define OPTION_THREADS_ROW(c)                                                                      \
    {                                                                                              \
        "threads", 0, OPTION_COUNT, &(c)->threads, "N", "threads to use (default: all processors)" \
    }
#define OPTION_QUIET_ROW(c)                                                      \
    {                                                                            \
        "quiet", 'q', OPTION_FLAG, &(c)->quiet, NULL, "print nothing but errors" \
    }
#define OPTION_JSON_ROW(c)                                                                   \
    {                                                                                        \
        "json", 0, OPTION_FLAG, &(c)->json, NULL, "print JSON for scripts instead of tables" \
    }
#define OPTION_PROGRESS_ROW(c)                                                     \
    {                                                                              \
        "no-progress", 0, OPTION_FLAG, &(c)->no_progress, NULL, "show no progress" \
    }
#define OPTION_FORCE_ROW(c)                                                       \
    {                                                                             \
        "force", 'f', OPTION_FLAG, &(c)->force, NULL, "overwrite existing output" \
    }
#define OPTION_SEPARATOR_ROW(c)                                 \
    {                                                           \
        "separator", 0, OPTION_CHARACTER, &(c)->separator, "C", \
            "CSV separator (default: detected)"                 \
    }
#define OPTION_ENCODING_ROW(c)                               \
    {                                                        \
        "encoding", 0, OPTION_TEXT, &(c)->encoding, "NAME",  \
            "CSV encoding, as WINDOWS-1252 (default: UTF-8)" \
    }
/* What commands take that read data. */
#define OPTION_CSV_ROWS(c)                                   \
    OPTION_SEPARATOR_ROW(c), OPTION_ENCODING_ROW(c),         \
    {                                                        \
        "no-header", 0, OPTION_FLAG, &(c)->no_header, NULL,  \
            "the CSV has no header: columns are c1, c2, …" \
    }
#define OPTION_SUMMARY_ROW(c)                                                                 \
    {                                                                                         \
        "summary", 0, OPTION_TEXT, &(c)->summary, "FILE", "write the summary as JSON to FILE" \
    }
/* Where --separator would be that of data and release. */
#define OPTION_DATA_SEPARATOR_ROW(variable)                     \
    {                                                           \
        "data-separator", 0, OPTION_CHARACTER, (variable), "C", \
            "CSV separator of the data, if another"             \
    }
/* What commands take that make a document of a study. */
#define OPTION_REPORT_ROWS(c)                                                              \
    OPTION_THREADS_ROW(c), OPTION_SUMMARY_ROW(c), OPTION_QUIET_ROW(c), OPTION_JSON_ROW(c), \
        OPTION_CSV_ROWS(c), OPTION_PROGRESS_ROW(c), OPTION_FORCE_ROW(c)
/* What commands take that can show their result as a page. */
#define OPTION_PAGE_ROWS(c)                                                                       \
    {"report", 0, OPTION_TEXT, &(c)->page.output, "FILE", "write a report for browsers to FILE"}, \
    {                                                                                             \
        "internal", 0, OPTION_FLAG, &(c)->page.internal, NULL,                                    \
            "the report also shows the data: confidential"                                        \
    }
#define OPTION_END                             \
    {                                          \
        NULL, 0, OPTION_FLAG, NULL, NULL, NULL \
    }

/* Parses options, in any order with the positional arguments, which end up in argv[1 … return
 * value].
 * --help prints the page and leaves with *status = 0; wrong usage prints a message and leaves with
 * *status = 2: then the return value is -1. `min_arguments` and `max_arguments` bound the
 * positional arguments. */
int options_parse(const help_page *page, const option_spec *options, int argc, char **argv,
                  int min_arguments, int max_arguments, int *status);

/* Its argument, or the end of the program if that is NULL: out of memory. */
void *or_die(void *pointer);

/* Prints the page that --help asks for; no line has more than 78 characters. */
void help_print(const help_page *page, const option_spec *options);

/* Characters that fit into a line of the terminal behind `out`: the variable COLUMNS, else what the
 * terminal says, else 80. */
size_t wrap_width(FILE *out);
/* How many characters a UTF-8 text has; wide ones count as one, which serves most data. */
size_t wrap_length(const char *text, size_t bytes);
/* How many bytes of a text go into a line of `width` characters; the next line begins at *next. Cut
 * at blanks where possible. */
size_t wrap_line(const char *text, size_t width, size_t *next);
/* Prints a text in lines of at most `width` characters. The first begins behind `used` others, the
 * next ones behind `indent` blanks. */
void wrap_text(FILE *out, const char *text, size_t width, size_t used, size_t indent);
/* A paragraph that is written piece by piece and wrapped to the terminal at its end. */
typedef struct wrap_buffer {
    FILE *in;
    char *text;
    size_t length;
} wrap_buffer;
FILE *wrap_begin(wrap_buffer *b);
void wrap_end(wrap_buffer *b, FILE *out, size_t indent);
/* The paragraph as it was written, in place of wrap_end; free() it. */
char *wrap_take(wrap_buffer *b);

/* "kith: error: …" and, if any, "kith: hint: …" on standard error, unless another rank says it;
 * returns the exit status. */
int report_error(const kith_error *error);
int report_exit_status(kith_status status);
/* Prints a text that may come from another party, or quote it: control characters that are not in
 * `allowed`, and others that act on a terminal without being seen, appear as \xNN. */
void plain_text_print(FILE *out, const char *text, const char *allowed);
/* Call before secrets are read: no core dump of this process is ever written. */
void secrecy_begin(void);
int report_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Wrong usage: "-i DATA is missing", say. */
int report_missing(const char *what, const help_page *page);
/* EXIT_DONE unless the study and one of up to three inputs (NULL: none) are both standard input. */
int report_one_input(const char *study, const char *const inputs[3]);
/* What `warnings` of a summary lists, one line each, on standard error; nothing with --json, which
 * prints the summary itself. */
void report_warnings(const kith_document *document);
/* All findings, one line each, on standard error. */
void report_findings(const kith_findings *findings);
/* The same without warnings. */
void report_problems(const kith_findings *findings);
/* Do the findings beyond `before` problems say what was wrong? Where this machine failed it is the
 * error that does. */
bool report_explained(const kith_findings *findings, size_t before, const kith_error *error);

/* ranks.c: what an MPI launcher has started several times. ranks_begin joins the others; false,
 * with the exit status, if there are others and the work cannot be shared. From then on rank 0
 * alone prints; what the others print is kept. ranks_end gives all ranks the same exit status, and
 * if the run has failed on another rank than 0, shows what that one has printed. */
bool ranks_begin(const char *command, bool shares_work, int *status);
int ranks_end(int status);
kith_ranks *ranks_joined(void); /* NULL: this process alone */
/* Whether this process is rank 0, or alone: it writes what is there once. */
bool ranks_first(void);

/* json.c: a text as a JSON string. */
void json_text(FILE *out, const char *text);
/* From now on errors and findings are JSON, one line each: --json was given. */
void report_as_json(void);

/* progress_log.c: lines of progress where there is no terminal. */
typedef struct progress_log {
    double next, pause; /* when a line may come again, and the pause before it */
    char last[512];     /* phase of the last line */
    char said[512];     /* phases that a line has named, between line ends */
} progress_log;
typedef struct progress_state {
    const char *phase, *detail;
    double share;   /* negative: unknown */
    double elapsed; /* seconds in this phase */
    double time;
} progress_state;
void progress_log_say(progress_log *log, const progress_state *now);

/* Progress on standard error: a bar with time left on a terminal, one line per phase otherwise,
 * nothing before the first second. Ctrl-C asks the call to stop, and says at once what becomes of
 * its result if `keeps_best` is set in the options. */
typedef struct progress_display progress_display;
progress_display *progress_begin(const common_options *common);
/* Fills a kith_run from the common options and the display (may be NULL). */
kith_run progress_run(progress_display *display, const common_options *common);
void progress_end(progress_display *display);

/* A table for people: cells are added row by row; columns are aligned by display width, numbers to
 * the right. Printed to standard output. Where the terminal is too narrow, columns 'R' (numbers
 * that can be spared) are left out, and cells of columns 'l' are broken into lines. */
typedef struct grid grid;
grid *grid_new(size_t n_columns, const char *alignment); /* one of 'l' 'r' 'R' per column */
void grid_cell(grid *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
void grid_print_free(grid *g); /* the first row is the heading */

/* At most 30 characters of a value on one line: control characters become blanks. */
const char *short_value(const char *value, char out[128]);

/* describe_values.c: what kith describe prints about values. */
void describe_values_numbers(const kith_document *d);
void describe_values_frequent(const kith_document *d);
void describe_values_spoiled(const kith_document *d);
void describe_values_dependencies(const kith_document *d);
void describe_values_reasons(const kith_document *d);
/* The texts of an array, at most `max` of them, between commas. */
void describe_values_list(FILE *out, const kith_document *d, const char *path, size_t max);

/* next_command.c: a file or data URI without its password; and a command that the reader may want
 * to run next, with what the data's options say of CSV, on a line of its own. */
void data_print(FILE *out, const char *uri);
void next_command_print(FILE *out, const common_options *common, const char *command,
                        const char *file, const char *data);

/* "1.2 MB", "45,222", "0.31 s" in a static buffer per call site group of eight. */
const char *human_bytes(double bytes);
const char *human_count(double count);
/* "1 class", "3 classes": the noun ends in s where there are several, or in es behind an s. */
const char *human_counted(double count, const char *noun);
const char *human_seconds(double seconds);
/* "0.2531", or "-" for a loss that is not known (NAN, in documents null): never 0. */
const char *human_loss(double loss);

/* A path in a document, such as "models.%zu.holds", in a static buffer: of the last eight each has
 * its own. */
const char *path_at(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints a document as JSON to standard output; returns EXIT_DONE. */
int document_print(const kith_document *document);
/* Prints findings as JSON; returns the exit status. */
int findings_print(const kith_findings *findings);

/* Writes a document as JSON file, complete or not at all; `path` may be NULL (nothing happens).
 * Documents, and what save_private writes, can be read by their owner only: they tell more than a
 * release. save_check says early that the file exists and may not be overwritten, or that its
 * directory cannot be written to; save_apart refuses a path that is one of `others`, five names or
 * NULL; `what` names the file in its message. All return the exit status. */
int save_check(const char *path, bool overwrite);
int save_apart(const char *what, const char *path, const char *const others[5]);
int save_document(const kith_document *document, const char *path);
int save_text(const char *path, const char *text);
int save_private(const char *path, const char *text);

/* What a command has to say: saved where --summary wants it, printed as JSON, by `print`, or not at
 * all; frees the document and returns the exit status. */
int document_tell(kith_document *d, const common_options *common,
                  void (*print)(const kith_document *d, const void *user), const void *user);

/* A command on a study: opens it, calls the job with progress, tells the result; returns the exit
 * status. `arguments` go to both functions. */
typedef kith_status study_job(kith_document **result, const kith_study *study,
                              const void *arguments, const kith_run *run, kith_error *error);
int study_run(const char *path, const common_options *common, study_job *job,
              void (*print)(const kith_document *d, const void *arguments), const void *arguments);

/* page.c: checks what --report and --internal say before anything is done. `data` is what the
 * command reads; NULL: nothing. Returns the exit status. */
int page_check(common_options *common, const char *study, const char *data);
/* Writes the report if one was asked for: about the rows of a run that has not published yet, or
 * about the files that a command has read and written. page_write returns the exit status. */
kith_status page_make(const common_options *common, const kith_review *about,
                      const kith_study *study, const kith_run *run, kith_error *error);
int page_write(const common_options *common, const kith_document *summary, const kith_study *study,
               const kith_run *run);

/* Loads a study (- is standard input) or prints everything that is wrong with it; *status is the
 * exit status then. Warnings are for 'kith study check'. */
kith_study *study_open(const char *path, int *status);

/* result_print.c: the lines "classes" and "loss" of a summary. */
void classes_print(FILE *out, const kith_document *document);
/* The line "persons", where they were counted. */
void persons_print(FILE *out, const kith_document *document);
/* What the study says of persons at several sites, if it counts persons. */
void overlap_print(FILE *out, const kith_document *document);
void loss_print(FILE *out, const kith_document *document);

/* Lines about the models of a summary or verdict, in plain words. */
void models_print(FILE *out, const kith_document *document);
void models_print_one(FILE *out, const kith_document *document, size_t index);
/* "distinct 3-diversity of disease": what the model is called that has its object at `path`. */
void models_print_title(FILE *out, const kith_document *document, const char *path);

/* fingerprint.c: the keys `grouped` and `words` behind a label of 16 characters that the caller has
 * printed; a line "digest" with a digest in groups. */
void fingerprint_print(const kith_document *forms, bool with_words);
void digest_print(const char *digest);

/* left_out.c: insensitive columns that a joint release leaves out, the key `left_out`. */
void left_out_print(const kith_document *document);
/* A line on rows without any value, if there were some. */
void empty_print(FILE *out, const kith_document *document);

/* risk_print.c: the risks in a report of measure. */
void risk_print(const kith_document *document);

/* explain_print.c: the key `explain` of a summary. */
void explain_print(FILE *out, const kith_document *document);

/* What all commands of several parties take. */
typedef struct party_settings {
    kith_party_options options;
    const char *wait, *delay; /* texts such as "20s" */
} party_settings;

#define PARTY_OPTION_ROWS(s)                                                                     \
    {"as", 0, OPTION_TEXT, &(s)->options.as, "NAME", "which party of the study this is"},        \
        {"key", 0, OPTION_TEXT, &(s)->options.key, "FILE", "this party's key (kith cert init)"}, \
        {"output",    'o',                                                                       \
         OPTION_TEXT, &(s)->options.directory,                                                   \
         "DIR",       "directory for the results and the ledger"},                               \
        {"listen",    0,                                                                         \
         OPTION_TEXT, &(s)->options.listen,                                                      \
         "HOST:PORT", "listen here, not at this party's address"},                               \
        {"wait",     0,      OPTION_TEXT,                                                        \
         &(s)->wait, "TIME", "how long to wait for the others (default: 10min)"},                \
        {"delay",     0,      OPTION_TEXT,                                                       \
         &(s)->delay, "TIME", "delay every message, to try out slow networks"},                  \
    {                                                                                            \
        "compress", 0, OPTION_FLAG, &(s)->options.compress, NULL,                                \
            "compress messages where that is safe"                                               \
    }

/* What commands take that play through joint runs on this machine. */
typedef struct simulate_settings {
    common_options common;
    kith_input input;
    kith_simulate_options options;
    uint64_t sites;
    const char *delay; /* a text such as "20ms" */
    bool in_process;
} simulate_settings;

#define SIMULATE_SITES_ROW(s)                                                              \
    {                                                                                      \
        "sites", 'n', OPTION_COUNT, &(s)->sites, "N", "how many sites hold data: 2 to 128" \
    }
#define SIMULATE_HOW_ROWS(s)                                                                \
    {"in-process", 0, OPTION_FLAG, &(s)->in_process, NULL, "threads instead of processes"}, \
    {                                                                                       \
        "delay", 0, OPTION_TEXT, &(s)->delay, "TIME", "delay every message: 10ms, 1s"       \
    }

/* Checks --sites, --delay and --summary and fills the options in; returns the exit status. */
int simulate_settings_check(simulate_settings *settings, const help_page *page);
/* 2 to 128, or 0 where it is not given. */
int sites_check(uint64_t sites);

/* Checks what was given and fills the rest in; returns the exit status. */
int party_options_check(party_settings *settings, const common_options *common);

/* Reads a time such as 500ms, 20s or 5min, or complains about --NAME; NULL leaves it alone. Returns
 * the exit status. */
int duration_take(const char *name, const char *text, uint32_t *milliseconds);
/* The same for --wait, which cannot be 0. */
int duration_take_wait(const char *text, uint32_t *milliseconds);

/* The file of this program, to start it once more; returns the exit status. */
int program_path(const char **path);

int cmd_anonymize(int argc, char **argv);
int cmd_cert(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_console(int argc, char **argv);
int cmd_describe(int argc, char **argv);
int cmd_estimate(int argc, char **argv);
int cmd_generate(int argc, char **argv);
int cmd_hierarchy(int argc, char **argv);
int cmd_ledger(int argc, char **argv);
int cmd_measure(int argc, char **argv);
int cmd_party(int argc, char **argv);
int cmd_pkg(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_simulate(int argc, char **argv);
int cmd_query(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_smc(int argc, char **argv);
int cmd_study(int argc, char **argv);
int cmd_try(int argc, char **argv);
int cmd_verify(int argc, char **argv);

#endif
