/* A study inside: the YAML file turned into plain parameters of the layers below.
 *
 * Invariants of a study that was read without problems: names of columns and of parties are
 * distinct; some column is quasi-identifying; columns of a party are ascending; models refer to
 * sensitive columns that exist; the algorithm, and the protocol of a joint run, can minimize the
 * measure and keep all models. The study never changes afterwards, so that threads may share it. */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/study.h>

#include "core/arena.h"
#include "core/check.h"
#include "hierarchy/hierarchy.h"
#include "measure/measure.h"
#include "model/model.h"
#include "protocol/module.h"
#include "search/search.h"
#include "table/recoding.h"

typedef enum role {
    ROLE_IDENTIFYING,
    ROLE_QUASI_IDENTIFYING,
    ROLE_SENSITIVE,
    ROLE_INSENSITIVE
} role;

typedef enum missing_policy {
    MISSING_VALUE,    /* a value of its own, released empty */
    MISSING_WILDCARD, /* the root from the start, released as * */
    MISSING_REJECT,   /* an error with its line */
    MISSING_DROP      /* the row is left out and counted */
} missing_policy;

#define STUDY_ANY_LEVEL UINT32_MAX

typedef struct study_column {
    const char *name;
    role role;
    kith_type type;
    const char *date_format; /* as in kith_column_spec; numbers: from the key `decimal` */
    bool has_hierarchy;      /* written in the study, not the default */
    hierarchy_spec hierarchy;
    const kith_hierarchy *loaded; /* HIERARCHY_FILE: as the study's digest covers it; else NULL */
    domain_spec domain;
    uint32_t min_level, max_level; /* of a release; STUDY_ANY_LEVEL: up to the root */
    uint32_t step;     /* protocol mondrian: values in a cell of the grid; 0: not given */
    recoding recoding; /* how values are changed before anything else */
    bool mean;         /* microaggregate: a cell shows the mean of its class, not a label */
    double weight;     /* 1 unless utility.weights says otherwise */
    size_t line;
} study_column;

/* One party of joint runs; texts as in the file. */
typedef struct study_party {
    const char *name;
    const char *address;     /* host:port */
    const char *key;         /* sha256:… of its certificate */
    uint32_t n_columns;      /* vertical, hybrid: how many columns it holds; 0: all */
    const uint32_t *columns; /* [n_columns] numbers of study columns, ascending */
} study_party;

/* Who may ask the virtual database without being a party; texts as in the file. */
typedef struct study_client {
    const char *name;
    const char *key; /* sha256:… of its certificate */
} study_client;

/* Digest of what stands under one key. */
typedef struct study_entry {
    const char *path; /* "columns.age.role" */
    unsigned char hash[16];
} study_entry;

enum { STUDY_TIMEOUT_MS = 30000, STUDY_LIMIT_MS = 24 * 3600 * 1000, STUDY_PER_DAY = 100 };

struct kith_study {
    arena *memory;    /* owns everything, the study included */
    const char *path; /* for messages; STUDY_IN_MEMORY if parsed from text */
    const char *name;
    uint32_t n_columns;
    const study_column *columns;
    kith_column_spec *read; /* the columns that are read: all but the identifying ones */
    uint32_t n_read;
    uint32_t n_models;
    const model_spec *models; /* model.sensitive indexes the sensitive columns in study order */
    bool has_levels;          /* `levels` fixes the level of every quasi-identifier */
    measure_id measure;
    double w;                 /* wmi: the weight of mi, 0 to 1 */
    const char *class_column; /* of cm and pmi; NULL: the first sensitive column */
    double suppression;
    const char *algorithm;
    search_spec search;
    missing_policy missing;
    const char *const *missing_values;
    uint32_t n_missing_values;
    bool trim;
    double sample;     /* share of the rows that a release is made from; 0: all of them */
    double population; /* people of whom the data is a sample, or below 1 its share; 0: unknown */
    bool unit_row;     /* the study says that each row is a person */
    uint32_t n_unit;   /* identifying columns that tell persons apart, whom models count; 0: it
                        * says nothing of them, and models count rows */
    const uint32_t *unit;      /* [n_unit] numbers of study columns, ascending */
    bool refuse_intersections; /* no person may be left with too few values over its classes */
    uint64_t memory_bytes;     /* that a run may take; larger files are searched piece by piece from
                            * the disk. 0: not limited */
    uint32_t n_parties;        /* 0: not a study for joint runs */
    const study_party *parties;
    uint32_t timeout_ms; /* of every receive in a joint run */
    uint32_t limit_ms;   /* of a whole joint run */
    uint32_t n_clients;
    const study_client *clients;
    bool query_rows;          /* may rows be asked for, or only numbers? */
    uint32_t queries_per_day; /* of one querier */
    protocol_options joint;
    const char *id_column;  /* vertical, hybrid: the identifying column by which rows are joined, or
                             * NULL */
    const char *text;       /* the YAML text that it was read from */
    const char *directory;  /* where its relative paths start */
    const char *pkg;        /* id-based: file of a generator's public parameters, or NULL: self */
    const char *pkg_text;   /* what is in it */
    const char *pkg_period; /* of the keys that it issued; NULL: none */
    unsigned char digest[32];
    size_t n_entries; /* in the order of the canonical form */
    study_entry *entries;
};

#if KITH_DEBUG
/* Checks the invariants above. */
void study_check(const kith_study *study);
#endif

/* What messages call the text of a study that is in no file. */
#define STUDY_IN_MEMORY "<memory>"

/* What a study is made from. */
typedef struct study_source {
    const char *path; /* for messages */
    const char *text;
    size_t length;
    const char *directory;                    /* where relative paths start */
    const kith_column_hierarchy *hierarchies; /* instead of what the text says */
    size_t n_hierarchies;
    kith_may_read_fn may_read; /* NULL: all files may be read */
    void *user;                /* of may_read */
} study_source;

kith_status study_make(kith_study **study, const study_source *from, kith_findings *findings,
                       kith_error *error) KITH_MUST_USE;

/* A column whose hierarchy a program has given to the study, so that its text lacks it; NULL: there
 * is none. */
const char *study_made_column(const kith_study *study);
/* Lists the hierarchies that a program has given to the study, in `memory`. */
kith_status study_made_hierarchies(kith_column_hierarchy **list, size_t *count,
                                   const kith_study *study, arena *memory,
                                   kith_error *error) KITH_MUST_USE;

/* Reads a text that was made from that of `base`, with its directory and the hierarchies that a
 * program has given to it. */
kith_status study_parse_like(kith_study **study, const kith_study *base, const char *text,
                             kith_findings *findings, kith_error *error) KITH_MUST_USE;

/* kith_study_parse, with a name for messages. */
kith_status study_parse_as(kith_study **study, const char *path, const char *text,
                           const char *directory, kith_findings *findings,
                           kith_error *error) KITH_MUST_USE;
/* Reads at most one byte more than a study may have: yaml_walk_parse then reports that it is too
 * long, and a huge file does not fill the memory. "-" is standard input. Free the text with
 * free(). */
kith_status study_read_file(char **text, size_t *length, const char *path,
                            kith_error *error) KITH_MUST_USE;

/* The directory of a study's file, where its relative paths start; "." if `path` is NULL. NULL: out
 * of memory. */
const char *study_directory_of(const char *path, arena *memory);

/* Names of parties become names of directories and appear in messages: no slash, no blank, nothing
 * that begins like a hidden file or an option, 1 to 63 bytes. */
bool study_is_party_name(const char *text);
/* host:port, and [host]:port for IPv6, whose colons would otherwise be taken for the one before the
 * port. */
bool study_is_address(const char *text);

/* Names of studies and columns are shown to people: no control characters, which a terminal would
 * obey. */
bool study_is_plain(const char *text);

/* What is wrong with the bounds on levels of a column whose hierarchy has so many levels, for
 * messages, or NULL. */
enum { STUDY_MESSAGE = 256 };
const char *study_wrong_level(const study_column *c, uint32_t n_levels, char text[STUDY_MESSAGE]);

/* The number of the column of this name; UINT32_MAX: there is none. */
uint32_t study_find_column(const kith_study *study, const char *name);

/* Do the values of this column tell persons apart? */
bool study_in_unit(const kith_study *study, uint32_t number);

/* May the study say whose rows are whose? Some protocols cannot count persons. */
bool study_may_have_unit(const kith_study *study);

/* How to read the columns of this study; the arrays are the study's. */
kith_table_options study_table_options(const kith_study *study);

#endif
