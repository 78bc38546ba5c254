/* Hierarchies inside: a tree with labels, and how it is described, built and bound to a column. */
#ifndef HIERARCHY_HIERARCHY_H
#define HIERARCHY_HIERARCHY_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/hierarchy.h>

#include "core/arena.h"
#include "hierarchy/tree.h"
#include "table/table.h"

struct kith_hierarchy {
    tree tree;
    const char *const *label; /* [n_nodes] */
    const char *file;         /* NULL if built */
    uint64_t n_file_rows;     /* rows of the file, repetitions included (arx-loss counts them) */
    uint32_t missing_leaf;    /* leaf of the missing value, or UINT32_MAX */
    const char *date_format;  /* strptime format of labels that are dates; NULL: YYYY-MM-DD */
    arena *memory;            /* owns it; NULL where another arena does */
};

/* The label of the root: what a suppressed cell of the column shows. A hierarchy with an empty one
 * is refused when it is made. */
static inline const char *hierarchy_root_label(const kith_hierarchy *hierarchy)
{
    return hierarchy->label[tree_root(&hierarchy->tree)];
}

typedef enum hierarchy_kind {
    HIERARCHY_SUPPRESS, /* leaf > * */
    HIERARCHY_FILE,     /* ARX format */
    HIERARCHY_INTERVALS,
    HIERARCHY_MASK,
    HIERARCHY_DATES,
    HIERARCHY_ORDER
} hierarchy_kind;

typedef enum date_unit {
    DATE_MINUTE,
    DATE_HOUR,
    DATE_DAY,
    DATE_WEEK,
    DATE_MONTH,
    DATE_QUARTER,
    DATE_YEAR,
    DATE_DECADE
} date_unit;

enum { HIERARCHY_MAX_LEVELS = 64 }; /* leaf and root included */

/* What a study says behind `hierarchy:`. Plain data; the texts belong to the caller. */
typedef struct hierarchy_spec {
    hierarchy_kind kind;
    const char *where; /* put in front of messages about what is built ("column age"); or NULL */
    kith_type type;    /* of the column, for a range that is built without values */
    const char *date_format;    /* strptime format of the column's dates; NULL: YYYY-MM-DD */
    const char *path;           /* FILE, ready to open; NULL: `made` */
    const kith_hierarchy *made; /* FILE: what a program has made instead of a file */
    char separator;             /* FILE; 0: detect */
    const char *encoding;       /* FILE; NULL: UTF-8, or what a byte-order mark says */
    uint32_t count;             /* of the lists below */
    double widths[HIERARCHY_MAX_LEVELS]; /* INTERVALS: each divides the next */
    double origin;                       /* INTERVALS: bins are [origin + i*w, origin + (i+1)*w) */
    bool snap;                           /* INTERVALS: bounds snapped to round ones */
    date_unit units[HIERARCHY_MAX_LEVELS]; /* DATES: coarser and coarser */
    uint32_t groups[HIERARCHY_MAX_LEVELS]; /* ORDER: leaves per group, each divides the next */
    bool mask_left;                        /* MASK: hide from the left instead of the right */
    char mask_character;                   /* MASK: '*' by default */
    uint32_t mask_length; /* MASK: characters that some value has at least, here or elsewhere */
} hierarchy_spec;

typedef enum domain_kind { DOMAIN_HIERARCHY, DOMAIN_DATA, DOMAIN_RANGE } domain_kind;

/* Where the leaves come from: the hierarchy file, the data, or a range of integers or dates.
 * Builders without a range take DOMAIN_HIERARCHY as DOMAIN_DATA. */
typedef struct domain_spec {
    domain_kind kind;
    double low, high; /* DOMAIN_RANGE, inclusive; days since 1970-01-01 for dates */
    /* Leaves of ranges and files keep their labels, whatever the texts of the data are: all parties
     * of a joint run, and who compares with it, must build the same tree. */
    bool fixed;
} domain_spec;

/* Checks a spec for mistakes that are independent of the data (widths that do not divide, units out
 * of order, …); `where` is put in front of messages ("column age"). Problems go to findings with
 * file and line. */
void hierarchy_spec_check(const hierarchy_spec *spec, kith_type type, const domain_spec *domain,
                          const char *where, kith_findings *findings, const char *file,
                          size_t line);

/* Makes the hierarchy for a column. `values` is the column's dictionary (needed by builders and
 * DOMAIN_DATA; may be NULL for FILE). Numbers and dates show the texts of the data: where a range
 * or a file writes a value in another way, its leaf gets the text of the data, or one leaf each if
 * the data has several. `with_missing` adds a leaf of its own for the missing value: its label is
 * empty at every level below the root. The result lives in `memory`. */
kith_status hierarchy_make(kith_hierarchy **hierarchy, arena *memory, const hierarchy_spec *spec,
                           const domain_spec *domain, const dictionary *values, bool with_missing,
                           kith_findings *findings, kith_error *error);

/* Characters of the longest value, which decide how many levels a mask over the values has. */
uint32_t hierarchy_mask_length(const dictionary *values);

/* Leaf of every code of a dictionary; values without a place go to findings (`source` and `column`
 * name them) and the call fails. leaf_of[] has dictionary->count entries. */
kith_status hierarchy_bind(const kith_hierarchy *hierarchy, const dictionary *values,
                           uint32_t *leaf_of, const char *source, const char *column,
                           kith_findings *findings, kith_error *error);

/* The same for a column of a table, whose values are then named with the line on which they occur
 * first. */
kith_status hierarchy_bind_column(const kith_hierarchy *hierarchy, const kith_table *table,
                                  uint32_t column, uint32_t *leaf_of, kith_findings *findings,
                                  kith_error *error);

/* An index of labels: finds the lowest node with a label, or UINT32_MAX. It lives in `memory`, and
 * needs the hierarchy. */
typedef struct label_index label_index;
kith_status label_index_new(label_index **index, arena *memory, const kith_hierarchy *hierarchy,
                            kith_error *error);
uint32_t label_index_find(const label_index *index, const char *label);

/* The same for all texts of a dictionary, among the first n_nodes nodes, without an index of the
 * hierarchy, which may be much larger: node_of[] has values->count entries. */
kith_status label_index_nodes(uint32_t *node_of, const kith_hierarchy *hierarchy, uint32_t n_nodes,
                              const dictionary *values, arena *memory, kith_error *error);
/* The leaf whose label is empty, or UINT32_MAX: no other node may have an empty label. */
uint32_t label_index_empty(const kith_hierarchy *hierarchy);

#endif
