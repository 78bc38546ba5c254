/* What the labels of a release stand for, read from their texts and the study's words alone: the
 * grammar of docs/verify.md. The search has code of its own for the same (hierarchy/place.h). */
#ifndef VERIFY_LABEL_MEANING_H
#define VERIFY_LABEL_MEANING_H

#include <stdbool.h>
#include <stdint.h>

#include "core/arena.h"
#include "hierarchy/hierarchy.h"
#include "table/table.h"

/* How the labels of a column are read. */
typedef struct label_grammar {
    kith_type type;
    const char *date_format; /* as in kith_column_spec, for numbers too */
    const hierarchy_spec *hierarchy;
    const kith_hierarchy *file; /* as the file has it; NULL for builders */
    const label_index *labels;  /* of the file */
    bool missing;               /* an empty cell means a missing value */
} label_grammar;

typedef enum label_kind {
    LABEL_TEXT,    /* this text */
    LABEL_TEXTS,   /* texts from one to another, by bytes */
    LABEL_WHOLE,   /* integers, or times in seconds, from low to high */
    LABEL_DECIMAL, /* numbers from low to high; `open`: high is outside */
    LABEL_MASK,    /* texts that begin (or end) like this, of some lengths */
    LABEL_LEAVES   /* leaves of the file, from low to below high */
} label_kind;

/* One way to read a label. */
typedef struct label_part {
    label_kind kind;
    const char *text, *last; /* TEXT, TEXTS; MASK: what is shown */
    int64_t low, high;       /* WHOLE, LEAVES; MASK: characters */
    double from, to;         /* DECIMAL */
    bool open;
} label_part;

/* What a label stands for: all that one of its readings says. */
typedef struct label_meaning {
    bool all;     /* every value, the missing one too */
    bool missing; /* the missing value */
    uint32_t count;
    label_part *parts;
} label_meaning;

/* Reads a cell of the release; NULL is an empty one. A text that is no label stands for nothing. */
kith_status label_meaning_read(label_meaning *set, const label_grammar *grammar, const char *text,
                               arena *memory, kith_error *error);

/* A value of another table of such a column: TABLE_MISSING, or a code of `values`. `leaf` is its
 * leaf in the file, UINT32_MAX if there is none. */
bool label_meaning_holds(const label_meaning *set, const label_grammar *grammar,
                         const dictionary *values, uint32_t code, uint32_t leaf);

#endif
