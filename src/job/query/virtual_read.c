/* Reading a site's own rows with their companion. */
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "job/query/virtual_table.h"
#include "table/table.h"
#include "table/typed_value.h"

enum { KIND, COLUMN, NUMBER, FIRST, LAST, TEXT };

typedef struct reader {
    virtual_table *to;
    const kith_study *study;
    const kith_table *rows, *companion;
    uint32_t place[VIRTUAL_FIELDS]; /* columns of the companion */
} reader;

static kith_status broken(const reader *r, const char *what, kith_error *error)
{
    return error_set(error, KITH_DATA,
                     "%s is not what 'kith party' wrote with publish: virtual: %s",
                     r->companion->source, what);
}

static const char *field(const reader *r, uint32_t row, int which)
{
    return kith_table_cell(r->companion, row, r->place[which]);
}

static bool is_kind(const reader *r, uint32_t row, const char *kind)
{
    const char *text = field(r, row, KIND);
    return text != NULL && strcmp(text, kind) == 0;
}

/* A number of the companion that is below `bound`. */
static bool read_number(const reader *r, uint32_t row, int which, uint64_t bound, uint32_t *number)
{
    const char *text = field(r, row, which);
    int64_t value;
    if (text == NULL || !text_integer(text, strlen(text), &value) || value < 0 ||
        (uint64_t)value >= bound)
        return false;
    *number = (uint32_t)value;
    return true;
}

/* --- about --- */

static const char *find_about(const reader *r, const char *key)
{
    for (uint32_t row = 0; row < r->companion->n_rows; row++) {
        const char *name = field(r, row, COLUMN);
        if (is_kind(r, row, "about") && name != NULL && strcmp(name, key) == 0)
            return field(r, row, TEXT);
    }
    return NULL;
}

static kith_status read_about(reader *r, kith_error *error)
{
    virtual_about *a = &r->to->about;
    const char *const texts[] = {find_about(r, "study"),   find_about(r, "digest"),
                                 find_about(r, "run"),     find_about(r, "rows"),
                                 find_about(r, "classes"), find_about(r, "format")};
    int64_t rows, classes;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i] == NULL)
            return broken(r, "it does not say what the rows are", error);
    if (strcmp(texts[5], "1") != 0)
        return broken(r, "it has the format of another version", error);
    if (!text_integer(texts[3], strlen(texts[3]), &rows) || rows < 0 ||
        !text_integer(texts[4], strlen(texts[4]), &classes) || classes < 0 || classes > UINT32_MAX)
        return broken(r, "the number of rows or classes is no number", error);
    a->study = TRY_ALLOC(arena_strdup(r->to->memory, texts[0]), error);
    a->digest = TRY_ALLOC(arena_strdup(r->to->memory, texts[1]), error);
    a->run = TRY_ALLOC(arena_strdup(r->to->memory, texts[2]), error);
    a->n_rows = (uint64_t)rows;
    a->n_classes = (uint32_t)classes;
    return KITH_OK;
}

/* --- domains --- */

bool virtual_table_name(query_domain *d, const char *name, const kith_study *study)
{
    const uint32_t number = study_find_column(study, name);
    if (number == UINT32_MAX)
        return false;
    const study_column *s = &study->columns[number];
    *d = (query_domain){.name = s->name, .type = s->type, .date_format = s->date_format};
    return true;
}

kith_status virtual_table_numbers(query_domain *d, arena *memory, kith_error *error)
{
    if (d->type == KITH_TYPE_STRING)
        return KITH_OK;
    const locale_t c_locale = text_c_locale();
    if (c_locale == (locale_t)0)
        return error_nomem(error);
    double *numbers = TRY_ARRAY(numbers, memory, d->n_values, error);
    for (uint32_t v = 0; v < d->n_values; v++) {
        int64_t whole = 0;
        double decimal = 0;
        if (!typed_value_parse(d->type, d->date_format, c_locale, d->texts[v], strlen(d->texts[v]),
                               &whole, &decimal)) {
            d->type = KITH_TYPE_STRING;
            return KITH_OK;
        }
        numbers[v] = d->type == KITH_TYPE_DECIMAL ? decimal : (double)whole;
    }
    d->numbers = numbers;
    return KITH_OK;
}

static bool is_about(const reader *r, uint32_t row, const char *kind, const char *name)
{
    const char *of = field(r, row, COLUMN);
    return is_kind(r, row, kind) && of != NULL && strcmp(of, name) == 0;
}

/* The companion lists values, and then cells, in the order of their numbers. */
static kith_status read_domain(const reader *r, query_domain *d, const char *name,
                               kith_error *error)
{
    if (!virtual_table_name(d, name, r->study))
        return error_set(error, KITH_DATA, "%s has a column %s, which the study does not have",
                         r->rows->source, name);
    for (uint32_t row = 0; row < r->companion->n_rows; row++)
        d->n_values += is_about(r, row, "value", name);
    const char **texts = TRY_ARRAY(texts, r->to->memory, d->n_values, error);
    uint32_t next = 0, number;
    for (uint32_t row = 0; row < r->companion->n_rows; row++) {
        if (!is_about(r, row, "value", name))
            continue;
        const char *text = field(r, row, TEXT);
        if (!read_number(r, row, NUMBER, d->n_values, &number) || number != next || text == NULL)
            return broken(r, "values are out of order", error);
        texts[next++] = TRY_ALLOC(arena_strdup(r->to->memory, text), error);
    }
    d->texts = texts;
    return virtual_table_numbers(d, r->to->memory, error);
}

/* --- cells --- */

typedef struct cell_text {
    const char *text; /* NULL: missing */
    uint32_t code;
} cell_text;

static int compare_cell_texts(const void *left, const void *right)
{
    const cell_text *a = left, *b = right;
    if (a->text == NULL || b->text == NULL)
        return (a->text != NULL) - (b->text != NULL);
    return strcmp(a->text, b->text);
}

static kith_status read_cells(reader *r, uint32_t j, uint32_t **codes, query_interval **intervals,
                              uint32_t *n_codes, kith_error *error)
{
    arena *memory = r->to->memory;
    const query_domain *d = &r->to->domains[j];
    uint32_t n = 0, next = 0, number;
    for (uint32_t row = 0; row < r->companion->n_rows; row++)
        n += is_about(r, row, "cell", d->name);
    query_interval *all = TRY_ARRAY(all, memory, n, error);
    const char **texts = TRY_ARRAY(texts, memory, n, error);
    cell_text *sorted = TRY_ARRAY(sorted, memory, n, error);
    for (uint32_t row = 0; row < r->companion->n_rows; row++) {
        if (!is_about(r, row, "cell", d->name))
            continue;
        query_interval *at = &all[next];
        const char *text = field(r, row, TEXT);
        if (!read_number(r, row, NUMBER, n, &number) || number != next ||
            !read_number(r, row, FIRST, d->n_values + (uint64_t)1, &at->first) ||
            !read_number(r, row, LAST, d->n_values + (uint64_t)1, &at->last) ||
            at->first > at->last)
            return broken(r, "cells are out of order", error);
        texts[next] = text == NULL ? NULL : TRY_ALLOC(arena_strdup(memory, text), error);
        sorted[next] = (cell_text){texts[next], next};
        next++;
    }
    *codes = TRY_ARRAY(*codes, memory, r->rows->n_rows, error);
    *intervals = all;
    *n_codes = n;
    r->to->cells[j] = texts;
    /* Gives every row the code of its cell. */
    qsort(sorted, n, sizeof *sorted, compare_cell_texts);
    for (uint32_t row = 0; row < r->rows->n_rows; row++) {
        const cell_text wanted = {kith_table_cell(r->rows, row, j), 0};
        const cell_text *found = bsearch(&wanted, sorted, n, sizeof *sorted, compare_cell_texts);
        if (found == NULL)
            return error_set(error, KITH_DATA, "%s: a cell of column %s is not in the companion",
                             r->rows->source, r->to->domains[j].name);
        (*codes)[row] = found->code;
    }
    return KITH_OK;
}

/* --- the whole --- */

static void hash_number(crypto_generichash_state *state, uint32_t number)
{
    crypto_generichash_update(state, (const unsigned char *)&number, sizeof number);
}

/* With its length first, so that nothing can be split in another way into the same bytes; a missing
 * text has a length that no other has. */
static void hash_text(crypto_generichash_state *state, const char *text)
{
    hash_number(state, text == NULL ? UINT32_MAX : (uint32_t)strlen(text));
    if (text != NULL)
        crypto_generichash_update(state, (const unsigned char *)text, strlen(text));
}

void virtual_table_hash(virtual_table *t)
{
    crypto_generichash_state state;
    crypto_generichash_init(&state, NULL, 0, sizeof t->id);
    const char *const about[] = {t->about.study, t->about.digest, t->about.run};
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        hash_text(&state, about[i]);
    for (uint32_t j = 0; j < t->n_columns; j++) {
        const query_domain *d = &t->domains[j];
        hash_text(&state, d->name);
        hash_number(&state, d->n_values);
        for (uint32_t v = 0; v < d->n_values; v++)
            hash_text(&state, d->texts[v]);
        hash_number(&state, t->rows.n_codes[j]);
        for (uint32_t c = 0; c < t->rows.n_codes[j]; c++) {
            hash_text(&state, t->cells[j][c]);
            hash_number(&state, t->rows.intervals[j][c].first);
            hash_number(&state, t->rows.intervals[j][c].last);
        }
    }
    crypto_generichash_final(&state, t->id, sizeof t->id);
}

static kith_status read_both(reader *r, kith_error *error)
{
    for (int i = 0; i < VIRTUAL_FIELDS; i++) {
        r->place[i] = table_find(r->companion, virtual_fields[i]);
        if (r->place[i] == UINT32_MAX)
            return broken(r, "a column of the companion is missing", error);
    }
    TRY(read_about(r, error));
    if (strcmp(r->to->about.study, r->study->name) != 0)
        return error_set(error, KITH_DATA, "%s has the rows of study %s, not of %s",
                         r->rows->source, r->to->about.study, r->study->name);
    virtual_table *t = r->to;
    arena *memory = t->memory;
    const uint32_t n = r->rows->n_columns;
    t->n_columns = n;
    t->domains = TRY_ZEROS(t->domains, memory, n, error);
    t->cells = TRY_ARRAY(t->cells, memory, n, error);
    uint32_t **codes = TRY_ARRAY(codes, memory, n, error);
    query_interval **intervals = TRY_ARRAY(intervals, memory, n, error);
    uint32_t *n_codes = TRY_ARRAY(n_codes, memory, n, error);
    for (uint32_t j = 0; j < n; j++) {
        TRY(read_domain(r, &t->domains[j], r->rows->columns[j].name, error));
        TRY(read_cells(r, j, &codes[j], &intervals[j], &n_codes[j], error));
    }
    t->rows = (query_rows){r->rows->n_rows, (const uint32_t *const *)codes,
                           (const query_interval *const *)intervals, n_codes};
    virtual_table_hash(t);
    return KITH_OK;
}

/* Dictionaries of both tables are texts only: what is missing is NULL, not an empty text. */
static kith_status virtual_read_load(kith_table **table, const char *uri, const kith_run *run,
                                     kith_error *error)
{
    kith_table_options options = KITH_INIT(kith_table_options);
    return kith_table_read(table, uri, &options, run, error);
}

kith_status virtual_table_read(virtual_table **table, const char *uri, const kith_study *study,
                               const kith_run *run, kith_error *error)
{
    kith_table *rows = NULL, *companion = NULL;
    *table = NULL;
    arena *memory = TRY_ALLOC(arena_new(), error);
    virtual_table *t = arena_zalloc(memory, 1, sizeof *t);
    /* The table named after the parameter `table`, which other parameters may follow. NULL if out
     * of memory. */
    const char *name = strstr(uri, "table=");
    const size_t before = name == NULL ? strlen(uri) : (size_t)(name - uri) + strcspn(name, "&");
    char *beside = arena_printf(memory, "%.*s_kith%s", (int)before, uri, uri + before);
    kith_status status = t == NULL || beside == NULL ? error_nomem(error) : KITH_OK;
    if (status == KITH_OK)
        status = virtual_read_load(&rows, uri, run, error);
    if (status == KITH_OK)
        status = virtual_read_load(&companion, beside, run, error);
    if (status == KITH_OK) {
        t->memory = memory;
        reader r = {.to = t, .study = study, .rows = rows, .companion = companion};
        status = read_both(&r, error);
    }
    kith_table_free(rows);
    kith_table_free(companion);
    if (status == KITH_OK)
        *table = t;
    else
        arena_free(memory);
    return status;
}

void virtual_table_free(virtual_table *table)
{
    if (table != NULL)
        arena_free(table->memory);
}
