/* Writing a site's own rows with their companion. */
#include <stdio.h>
#include <stdlib.h>

#include "core/check.h"
#include "core/error.h"
#include "core/sort.h"
#include "job/query/virtual_table.h"
#include "release/release.h"

enum { FORMAT = 1 };

static const char suffix[] = "_kith";
const char *const virtual_fields[VIRTUAL_FIELDS] = {"kind",  "column_name", "number",
                                                    "first", "last",        "text"};

kith_status virtual_table_check(const char *uri, bool overwrite, kith_error *error)
{
    static const char *const any[] = {"any"};
    table_writer *w;
    arena *memory = TRY_ALLOC(arena_new(), error);
    kith_status status = table_writer_open(&w, memory, uri, ',', overwrite, any, 1, error);
    if (status == KITH_OK)
        status = table_writer_next(w, suffix, virtual_fields, VIRTUAL_FIELDS, error);
    arena_free(memory); /* rolls back */
    return status;
}

/* --- the order of values --- */

/* The public order in which every cell of a column is an interval: that of values where a column is
 * released as ranges of them, else that of the hierarchy's leaves. */
static bool by_value(const prepared *mine, const rows_result *result, const prepared_column *c)
{
    return c->attribute != PREPARE_NONE && result->low != NULL &&
           mine->problem.attributes[c->attribute].ordered;
}

/* The leaf of the empty text: a cell without a text is a missing one, whatever the study says. */
static uint32_t empty_leaf(const kith_hierarchy *h)
{
    for (uint32_t leaf = 0; leaf < h->tree.n_leaves; leaf++)
        if (h->label[leaf][0] == '\0')
            return leaf;
    return UINT32_MAX;
}

/* The order of values has the missing one last; a hierarchy file may have it anywhere. */
kith_status virtual_table_check_order(const prepared *mine, bool ranges, kith_error *error)
{
    for (uint32_t i = 0; i < mine->n_columns; i++) {
        const prepared_column *c = &mine->columns[i];
        const kith_hierarchy *h = c->hierarchy;
        const uint32_t empty = c->attribute == PREPARE_NONE ? UINT32_MAX : empty_leaf(h);
        if (empty == UINT32_MAX || empty + 1 == h->tree.n_leaves ||
            (ranges && mine->problem.attributes[c->attribute].ordered))
            continue;
        return error_set(error, KITH_INVALID,
                         "publish: virtual needs the empty value last in the hierarchy of column "
                         "%s; there '%s' comes after it",
                         c->study->name, h->label[empty + 1]);
    }
    return KITH_OK;
}

/* --- rows of the companion --- */

typedef struct companion {
    table_writer *writer;
    const char *column;
    kith_error *error;
} companion;

/* Numbers below 0 are left out. */
static kith_status virtual_write_put(const companion *c, const char *kind, int64_t number,
                                     int64_t first, int64_t last, const char *text)
{
    char numbers[3][24];
    const int64_t all[3] = {number, first, last};
    const char *cells[VIRTUAL_FIELDS] = {kind, c->column, NULL, NULL, NULL, text};
    for (int i = 0; i < 3; i++)
        if (all[i] >= 0) {
            snprintf(numbers[i], sizeof numbers[i], "%lld", (long long)all[i]);
            cells[2 + i] = numbers[i];
        }
    return table_writer_row(c->writer, cells, c->error);
}

/* --- cells of classes --- */

/* What a class shows of an attribute, as leaves low … high of a range, or a node in both. */
typedef struct shown {
    uint32_t low, high;
} shown;

static shown shown_by(const rows_result *result, uint32_t class, uint32_t n_attributes, uint32_t j)
{
    const size_t at = (size_t) class * n_attributes + j;
    if (result->low != NULL)
        return (shown){result->low[at], result->high[at]};
    return (shown){result->closure[at], result->closure[at]};
}

/* Positions that a shown cell stands for. */
static query_interval interval_of(const kith_hierarchy *h, const uint32_t *rank, bool values,
                                  uint32_t n_values, shown s)
{
    const tree *t = &h->tree;
    if (s.low < t->n_leaves && h->label[s.low][0] == '\0')
        return (query_interval){n_values, n_values};
    if (s.low < t->n_leaves && s.high < t->n_leaves)
        return values ? (query_interval){rank[s.low], rank[s.high]}
                      : (query_interval){s.low, s.high};
    if (values) /* the root: any value, and the missing one if there is one */
        return (query_interval){0, t->n_leaves - 1};
    return (query_interval){t->first[s.low], t->end[s.low] - 1};
}

static kith_status put_quasi(const companion *to, const prepared *mine, const rows_result *result,
                             const prepared_column *c, arena *scratch, kith_error *error)
{
    const kith_hierarchy *h = c->hierarchy;
    const uint32_t n_attributes = mine->problem.n_attributes;
    uint32_t number = 0;
    char text[RELEASE_CELL_BYTES];
    /* Leaves of a quasi-identifier by position; the leaf of the missing value is left out. */
    const uint32_t n = h->tree.n_leaves, empty = empty_leaf(h);
    uint32_t *leaf_at = TRY_ARRAY(leaf_at, scratch, n, error);
    for (uint32_t leaf = 0; leaf < n; leaf++)
        leaf_at[by_value(mine, result, c) ? c->rank[leaf] : leaf] = leaf;
    const uint32_t n_values = n - (empty != UINT32_MAX);
    ASSERT(empty == UINT32_MAX || leaf_at[n - 1] == empty);
    for (uint32_t v = 0; v < n_values; v++)
        TRY(virtual_write_put(to, "value", v, -1, -1, h->label[leaf_at[v]]));
    shown *all = TRY_ARRAY(all, scratch, result->n_classes, error);
    for (uint32_t i = 0; i < result->n_classes; i++)
        all[i] = shown_by(result, i, n_attributes, c->attribute);
    qsort(all, result->n_classes, sizeof *all, sort_uint32_uint32);
    for (uint32_t i = 0; i < result->n_classes; i++) {
        if (i > 0 && sort_uint32_uint32(&all[i], &all[i - 1]) == 0)
            continue;
        const query_interval at =
            interval_of(h, c->rank, by_value(mine, result, c), n_values, all[i]);
        TRY(virtual_write_put(to, "cell", number++, at.first, at.last,
                              release_range(h, all[i].low, all[i].high, text)));
    }
    return KITH_OK;
}

/* A column that is released as it is: every text stands for its value, which may have several. The
 * empty text, the first in their order, is a missing cell. */
static kith_status put_plain(const companion *to, const prepared *mine, const prepared_column *c,
                             arena *scratch, kith_error *error)
{
    const dictionary *values = &mine->table->columns[c->source].values;
    const dictionary *texts = &mine->texts->columns[c->source].values;
    uint32_t *value_of = TRY_ARRAY(value_of, scratch, texts->count + (size_t)1, error);
    for (uint32_t i = 0; i < texts->count; i++)
        value_of[i] = i;
    if (values->count < texts->count)
        dictionary_values(texts, value_of);
    const uint32_t empty = texts->count > 0 && dictionary_length(texts, 0) == 0;
    for (uint32_t v = empty; v < values->count; v++)
        TRY(virtual_write_put(to, "value", v - empty, -1, -1, dictionary_text(values, v)));
    for (uint32_t i = empty; i < texts->count; i++)
        TRY(virtual_write_put(to, "cell", i - empty, value_of[i] - empty, value_of[i] - empty,
                              dictionary_text(texts, i)));
    const uint32_t n_values = values->count - empty;
    return virtual_write_put(to, "cell", texts->count - empty, n_values, n_values, NULL);
}

static kith_status write_companion(table_writer *w, const prepared *mine, const rows_result *result,
                                   const virtual_about *about, arena *scratch, kith_error *error)
{
    companion to = {.writer = w, .error = error};
    TRY(table_writer_next(w, suffix, virtual_fields, VIRTUAL_FIELDS, error));
    char format[24], rows[24], classes[24];
    companion key = to;
    const struct {
        const char *key, *text;
    } texts[] = {{"study", about->study},
                 {"digest", about->digest},
                 {"run", about->run},
                 {"note", "own rows of one site: not k-anonymous by themselves, never to be handed "
                          "out"},
                 {"format", format},
                 {"rows", rows},
                 {"classes", classes}};
    snprintf(format, sizeof format, "%d", FORMAT);
    snprintf(rows, sizeof rows, "%llu", (unsigned long long)about->n_rows);
    snprintf(classes, sizeof classes, "%u", about->n_classes);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        key.column = texts[i].key;
        TRY(virtual_write_put(&key, "about", -1, -1, -1, texts[i].text));
    }
    for (uint32_t i = 0; i < mine->n_columns; i++) {
        const prepared_column *c = &mine->columns[i];
        to.column = c->study->name;
        TRY(c->attribute != PREPARE_NONE ? put_quasi(&to, mine, result, c, scratch, error)
                                         : put_plain(&to, mine, c, scratch, error));
    }
    return KITH_OK;
}

/* --- own rows --- */

/* A key by which rows are sorted: the class, then the codes of the cells released as they are. The
 * order of the records would say which row was whose. */
typedef struct row_key {
    uint32_t record, class;
    uint64_t hash; /* of the cells */
} row_key;

static int compare_keys(const void *left, const void *right)
{
    const row_key *a = left, *b = right;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    return a->hash < b->hash ? -1 : a->hash > b->hash;
}

static kith_status virtual_write_write_rows(table_writer *w, const prepared *mine,
                                            const rows_result *result, arena *scratch,
                                            kith_error *error)
{
    const uint32_t n = mine->problem.n_attributes;
    const char **cells = TRY_ARRAY(cells, scratch, mine->n_columns, error);
    char *texts = TRY_ALLOC(arena_array(scratch, mine->n_columns, RELEASE_CELL_BYTES), error);
    uint32_t *order = TRY_ARRAY(order, scratch, mine->n_rows, error);
    row_key *keys = TRY_ARRAY(keys, scratch, mine->n_rows, error);
    for (uint32_t k = 0; k < mine->n_rows; k++) {
        keys[k] = (row_key){k, result->class_of[k], 0};
        for (uint32_t i = 0; i < mine->n_columns; i++)
            if (mine->columns[i].attribute == PREPARE_NONE) {
                const column *from = &mine->texts->columns[mine->columns[i].source];
                keys[k].hash =
                    (keys[k].hash ^ from->codes[mine->rows[k]]) * UINT64_C(0x9e3779b97f4a7c15);
            }
    }
    qsort(keys, mine->n_rows, sizeof *keys, compare_keys);
    for (uint32_t k = 0; k < mine->n_rows; k++)
        order[k] = keys[k].record;
    for (uint32_t k = 0; k < mine->n_rows; k++) {
        const uint32_t record = order[k];
        for (uint32_t i = 0; i < mine->n_columns; i++) {
            const prepared_column *c = &mine->columns[i];
            if (c->attribute != PREPARE_NONE) {
                const shown s = shown_by(result, result->class_of[record], n, c->attribute);
                cells[i] = release_range(c->hierarchy, s.low, s.high,
                                         texts + (size_t)i * RELEASE_CELL_BYTES);
                continue;
            }
            const column *from = &mine->texts->columns[c->source];
            const uint32_t code = from->codes[mine->rows[record]];
            cells[i] = code == TABLE_MISSING ? NULL : dictionary_text(&from->values, code);
        }
        TRY(table_writer_row(w, cells, error));
    }
    return KITH_OK;
}

kith_status virtual_table_write(table_writer **writer, const char *uri, bool overwrite,
                                const prepared *mine, const rows_result *result,
                                const virtual_about *about, arena *memory, kith_error *error)
{
    const char **names = TRY_ARRAY(names, memory, mine->n_columns, error);
    for (uint32_t i = 0; i < mine->n_columns; i++)
        names[i] = mine->columns[i].study->name;
    TRY(table_writer_open(writer, memory, uri, ',', overwrite, names, mine->n_columns, error));
    table_writer_keep_private(*writer);
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    TRY(virtual_write_write_rows(*writer, mine, result, scratch, error));
    TRY(write_companion(*writer, mine, result, about, scratch, error));
    return table_writer_finish(*writer, error);
}
