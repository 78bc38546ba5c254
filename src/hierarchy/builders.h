/* Builders: hierarchies that are computed from the values of a column or from a range. */
#ifndef HIERARCHY_BUILDERS_H
#define HIERARCHY_BUILDERS_H

#include <locale.h>

#include "hierarchy/draft.h"

/* The leaves of a built hierarchy, in ascending order: the values of a dictionary, or all integers
 * or days of a range. A value of a range that the data writes in another way has its text as a
 * label, or one leaf for each of its texts. */
typedef struct leaf_source {
    const domain_spec *domain;
    const dictionary *values; /* may be NULL with a range */
    kith_type type;
    bool range;
    int64_t low, high; /* of the range: integers or days */
    const char *date_format;
    locale_t c_locale; /* with a format */
    /* [count] value, from low on, and code of the text; NULL: each value has one leaf, with the
     * text that the range gives it. */
    const uint32_t *value_of, *code_of;
    uint32_t count;
} leaf_source;

enum {
    LEAF_TEXT = 48,
    INTERVAL_TEXT = 72,
    MASK_TEXT = 5 * HIERARCHY_MAX_LEVELS /* UTF-8 and mask characters */
};

/* Without values the type is that of the spec, or what the builder needs: dates for `dates`, else
 * integers. What it allocates lives in `scratch`. */
kith_status build_leaves_init(leaf_source *leaves, const hierarchy_spec *spec,
                              const domain_spec *domain, const dictionary *values, arena *scratch,
                              kith_error *error);
uint32_t build_leaves_count(const leaf_source *leaves);
/* Integer, or seconds since 1970-01-01, of a leaf; not for strings and decimals. */
int64_t build_leaves_whole(const leaf_source *leaves, uint32_t leaf);
/* The leaf's label; `buffer` holds those of ranges. */
const char *build_leaves_text(const leaf_source *leaves, uint32_t leaf, char buffer[LEAF_TEXT],
                              size_t *length);

/* The label as it appears in messages. */
void build_leaves_quote(char shown[80], const leaf_source *leaves, uint32_t leaf);

/* Reserves the draft and fills in the lowest and the highest level; values outside the range go to
 * findings. Without any value the draft has one leaf `*` that is complete. */
kith_status build_leaves_begin(const leaf_source *leaves, draft *d, uint32_t n_levels,
                               kith_findings *findings, kith_error *error);

/* "2024-03-13" and the other labels of a time (in seconds), into LEAF_TEXT bytes; returns the
 * length. Minutes and hours show their day only if `with_day` says so. */
size_t build_dates_label(char out[LEAF_TEXT], int64_t seconds, date_unit unit, bool with_day);

/* Each fills a draft whose spec has been checked; what is wrong with the data goes to findings. */
kith_status build_intervals(draft *d, const hierarchy_spec *spec, const leaf_source *leaves,
                            kith_findings *findings, kith_error *error);
kith_status build_mask(draft *d, const hierarchy_spec *spec, const leaf_source *leaves,
                       kith_findings *findings, kith_error *error);
kith_status build_dates(draft *d, const hierarchy_spec *spec, const leaf_source *leaves,
                        kith_findings *findings, kith_error *error);
kith_status build_groups(draft *d, const hierarchy_spec *spec, const leaf_source *leaves,
                         kith_findings *findings, kith_error *error);

/* Widths and origin as whole multiples of 10^-decimals, so that bounds are exact. */
typedef struct interval_scale {
    int decimals;
    int64_t origin;
    int64_t widths[HIERARCHY_MAX_LEVELS];
} interval_scale;

/* False if they are too large or have too many digits. Integer columns have no decimals. */
bool build_intervals_scale(interval_scale *scale, const hierarchy_spec *spec, kith_type type);
/* The bin of a leaf, of width number i; false if its value is too large. */
bool build_intervals_label(char out[INTERVAL_TEXT], size_t *length, const interval_scale *scale,
                           uint32_t i, const leaf_source *leaves, uint32_t leaf);

/* The label of a value at a level of a mask whose longest value has `longest` characters; returns
 * its length, 0 if the value is too short to be masked at this level. The value has at most
 * `longest` characters. */
size_t build_mask_label(char out[MASK_TEXT], const hierarchy_spec *spec, uint32_t longest,
                        uint32_t level, const char *text, size_t length);
uint32_t build_mask_characters(const char *text, size_t length);

#endif
