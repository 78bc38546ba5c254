#include "verify/values.h"

#include <string.h>

#include "core/error.h"
#include "verify/persons.h"

/* A table of one column with these texts, read by type. */
static kith_status read_typed(kith_table **typed, arena *memory, const char *const *cells,
                              uint32_t count, const column *c, const verify_reading *reading,
                              kith_error *error)
{
    kith_column_spec spec = {c->name, reading->type, reading->date_format};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1);
    TRY(kith_table_from_cells(typed, cells, count, &options, error));
    return table_own(*typed, memory, error);
}

/* The value of every text of the release's column, and the dictionary of the values, each with the
 * first of its texts: a number that is written in two ways is one value. */
static kith_status values_read_values(verify_values *v, uint32_t **value_of_text, arena *memory,
                                      const column *c, const verify_reading *reading,
                                      kith_error *error)
{
    kith_table *typed, *distinct;
    uint32_t count = c->values.count;
    const char **cells = TRY_ARRAY(cells, memory, count, error);
    uint32_t *value_of = TRY_ARRAY(value_of, memory, count, error);
    *value_of_text = TRY_ARRAY(*value_of_text, memory, count, error);
    for (uint32_t code = 0; code < count; code++)
        cells[code] = dictionary_text(&c->values, code);
    TRY(read_typed(&typed, memory, cells, count, c, reading, error));
    const column *all = &typed->columns[0];
    uint32_t n_values = dictionary_values(&all->values, value_of);
    for (uint32_t code = 0; code < count; code++)
        (*value_of_text)[code] = value_of[all->codes[code]];
    for (uint32_t code = all->values.count; code-- > 0;)
        cells[value_of[code]] = dictionary_text(&all->values, code);
    TRY(read_typed(&distinct, memory, cells, n_values, c, reading, error));
    v->texts = &distinct->columns[0].values;
    return KITH_OK;
}

/* Replaces the counts of the part by those of the whole, which cannot be smaller. */
static kith_status count_whole(verify_values *v, arena *memory, const kith_table *release,
                               const column *c, const uint64_t *whole,
                               const uint32_t *value_of_text, kith_error *error)
{
    const uint32_t known = v->texts->count;
    uint64_t *overall = TRY_ZEROS(overall, memory, (size_t)known + 1, error);
    for (uint32_t code = 0; code < c->values.count; code++)
        overall[value_of_text[code]] += whole[code];
    overall[known] = whole[c->values.count];
    for (uint32_t value = 0; value <= known; value++)
        if (overall[value] < v->overall[value])
            return error_set(error, KITH_BUG,
                             "%s: a part of the release has more rows with a value of column %s "
                             "than the whole",
                             release->source, c->name);
    v->overall = overall;
    return KITH_OK;
}

/* Texts with a hierarchy are in the order of its leaves. */
static kith_status place_by_leaf(verify_values *v, arena *memory, kith_error *error)
{
    uint32_t n_leaves = v->tree->n_leaves, next = 0;
    uint32_t *value_of = TRY_ARRAY(value_of, memory, (size_t)n_leaves, error);
    memset(value_of, 0xff, n_leaves * sizeof *value_of);
    for (uint32_t i = 0; i < v->count; i++)
        value_of[v->leaf_of[i]] = i;
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        if (value_of[leaf] != UINT32_MAX)
            v->place[value_of[leaf]] = next++;
    return KITH_OK;
}

/* Makes the hierarchy as the study describes it, from the texts of the release: the verifier has
 * nothing else. */
static kith_status find_leaves(verify_values *v, arena *memory, const column *c,
                               const verify_reading *reading, const kith_table *release,
                               kith_error *error)
{
    kith_hierarchy *h;
    bool missing = v->count > v->texts->count;
    TRY(hierarchy_make(&h, memory, reading->hierarchy, reading->domain, v->texts, missing, NULL,
                       error));
    v->leaf_of = TRY_ARRAY(v->leaf_of, memory, v->count, error);
    TRY(hierarchy_bind(h, v->texts, v->leaf_of, release->source, c->name, NULL, error));
    if (missing)
        v->leaf_of[v->texts->count] = h->missing_leaf;
    v->tree = &h->tree;
    return reading->type == KITH_TYPE_STRING ? place_by_leaf(v, memory, error) : KITH_OK;
}

kith_status values_make(verify_values *values, arena *memory, const kith_table *release,
                        uint32_t column_index, const verify_reading *reading, kith_error *error)
{
    const column *c = &release->columns[column_index];
    uint32_t *value_of_text = NULL;
    *values = (verify_values){.date_format = reading->date_format};
    TRY(values_read_values(values, &value_of_text, memory, c, reading, error));
    /* The value of every row, and how often each occurs. The missing value is the last one, and
     * counts only if it occurs. */
    uint32_t known = values->texts->count;
    values->of_row = TRY_ARRAY(values->of_row, memory, release->n_rows, error);
    /* [known]: missing values */
    values->overall = TRY_ZEROS(values->overall, memory, (size_t)known + 1, error);
    values->place = TRY_ZEROS(values->place, memory, (size_t)known + 1, error);
    for (uint32_t row = 0; row < release->n_rows; row++) {
        uint32_t code = c->codes[row];
        values->of_row[row] = code == TABLE_MISSING ? known : value_of_text[code];
        values->overall[values->of_row[row]]++;
    }
    if (reading->whole != NULL)
        TRY(count_whole(values, memory, release, c, reading->whole, value_of_text, error));
    values->count = known + (values->overall[known] > 0);
    for (uint32_t i = 0; i < values->count; i++)
        values->place[i] = i;
    if (reading->persons_with != NULL)
        memcpy(values->overall, reading->persons_with, values->count * sizeof *values->overall);
    else if (reading->persons != NULL) {
        memset(values->overall, 0, values->count * sizeof *values->overall);
        TRY(persons_with_values(values->overall, reading->persons, values->of_row, release->n_rows,
                                memory, error));
    }
    return reading->hierarchy == NULL ? KITH_OK
                                      : find_leaves(values, memory, c, reading, release, error);
}

uint32_t values_find(const verify_values *values, const char *text)
{
    return dictionary_find(values->texts, values->date_format, text);
}
