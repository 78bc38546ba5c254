/* What pages keep between requests: the table that was opened last, with its description. */
#ifndef CONSOLE_PAGES_WORKSPACE_H
#define CONSOLE_PAGES_WORKSPACE_H

#include <stdint.h>

#include <cjson/cJSON.h>

#include <kith/kith.h>

typedef struct workspace workspace;

workspace *workspace_new(void); /* NULL if out of memory */
void workspace_free(workspace *space);

/* How a source is read; texts may be NULL. */
typedef struct source_settings {
    char uri[1024];
    char encoding[64];
    char separator; /* 0: detect */
    bool no_header;
} source_settings;

/* "data", "separator", "encoding" and "noHeader" of a request, after files_check_data. */
kith_status source_settings_take(source_settings *settings, const cJSON *body, kith_error *error);
/* The same as options of the library, which point into the settings. */
kith_csv_options source_settings_csv(const source_settings *settings);
kith_input source_settings_input(const source_settings *settings, const kith_csv_options *csv);
/* Words of the command line for them, at most 5 and NULL. */
void source_settings_words(const char *words[6], char separator_text[2],
                           const source_settings *settings);

/* A table in memory. It does not change; several requests may hold it at the same time. */
typedef struct dataset {
    kith_table *table; /* all columns as texts */
    kith_document *description;
    uint32_t **counts; /* [column][code]: records with the value */
    cJSON *pictures;   /* for each column what histogram_add says */
    /* Private to workspace.c. */
    source_settings from;
    int64_t stamp;
    unsigned n_holders;
} dataset;

/* Reads and describes a source, unless it is the one in memory and has not changed since. Release
 * it by dataset_release. */
kith_status workspace_open(dataset **held, workspace *space, const source_settings *from,
                           const kith_run *run, kith_error *error);
/* The table in memory if it is this source; else an error that says to open it. */
kith_status workspace_held(dataset **held, workspace *space, const char *uri, kith_error *error);
void workspace_release(workspace *space, dataset *held);

/* Index of a column by name, or an error. */
kith_status dataset_column(size_t *index, const dataset *d, const char *name, kith_error *error);
/* A text of the description of a column, "" if there is none. */
const char *dataset_says(const dataset *d, size_t column, const char *key);
/* Type and format that the description found, for kith_table_options. */
kith_column_spec dataset_spec(const dataset *d, size_t column);
/* The distinct values of a column as a table with one column, which the options describe, sorted by
 * value; row i is value code i of the dataset. */
kith_status dataset_values(kith_table **values, const dataset *d, size_t column,
                           const kith_table_options *reading, kith_error *error);

#endif
