#include "job/simulate/simulate_split.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "core/text.h"

enum { SITES_MOST = 64 };

static kith_status refuse(const simulate_split *s, const char *why, kith_error *error)
{
    char quoted[120];
    text_quote(quoted, sizeof quoted, s->text, strlen(s->text));
    return error_set(error, KITH_INVALID, "split '%s': %s", quoted, why);
}

/* "2x3": both at least 2. */
static bool read_grid(const char *text, uint32_t *rows, uint32_t *columns)
{
    int64_t a, b;
    const char *x = strchr(text, 'x');
    if (x == NULL || !text_integer(text, (size_t)(x - text), &a) ||
        !text_integer(x + 1, strlen(x + 1), &b))
        return false;
    if (a < 2 || b < 2 || a > SITES_MOST || b > SITES_MOST)
        return false;
    *rows = (uint32_t)a;
    *columns = (uint32_t)b;
    return true;
}

static uint32_t count_parts(const char *list)
{
    uint32_t parts = 1;
    for (; *list != '\0'; list++)
        parts += *list == '/';
    return parts;
}

static kith_status read_kind(simulate_split *s, kith_error *error)
{
    const char *text = s->text;
    s->row_parts = s->column_parts = 1;
    if (strcmp(text, "rows") == 0) {
        s->kind = SPLIT_ROWS;
    } else if (strncmp(text, "hash:", 5) == 0 && text[5] != '\0') {
        s->kind = SPLIT_HASH;
        s->column = text + 5;
    } else if (strncmp(text, "by:", 3) == 0 && text[3] != '\0') {
        s->kind = SPLIT_BY;
        s->column = text + 3;
    } else if (strncmp(text, "columns:", 8) == 0) {
        s->kind = SPLIT_COLUMNS;
        s->column_parts = count_parts(text + 8);
    } else if (read_grid(text, &s->row_parts, &s->column_parts)) {
        s->kind = SPLIT_GRID;
    } else {
        return refuse(
            s, "expected rows, hash:COLUMN, by:COLUMN, columns:A,B/C,D or a grid such as 2x2",
            error);
    }
    return KITH_OK;
}

static partition_kind partition_of(split_kind kind)
{
    switch (kind) {
    case SPLIT_COLUMNS: return PARTITION_VERTICAL;
    case SPLIT_GRID: return PARTITION_HYBRID;
    default: return PARTITION_HORIZONTAL;
    }
}

/* Rows x columns with as few parts of columns as possible. */
static kith_status choose_grid(simulate_split *s, uint32_t sites, kith_error *error)
{
    s->kind = SPLIT_GRID;
    for (uint32_t c = 2; c * 2 <= sites; c++)
        if (sites % c == 0) {
            s->column_parts = c;
            s->row_parts = sites / c;
            return KITH_OK;
        }
    error_set(error, KITH_INVALID, "%u sites make no grid of rows x columns", sites);
    return error_hint(error, KITH_INVALID, "take 4 sites or more, and not a prime number of them");
}

static kith_status choose_default(simulate_split *s, uint32_t sites, kith_error *error)
{
    s->row_parts = s->column_parts = 1;
    if (s->partition == PARTITION_HYBRID)
        return choose_grid(s, sites, error);
    s->kind = s->partition == PARTITION_VERTICAL ? SPLIT_COLUMNS : SPLIT_ROWS;
    if (s->kind == SPLIT_COLUMNS)
        s->column_parts = sites;
    return KITH_OK;
}

static kith_status check_partition(simulate_split *s, kith_error *error)
{
    char why[120];
    partition_kind wants = partition_of(s->kind);
    if (s->partition == PARTITION_NONE)
        s->partition = wants;
    if (s->partition == wants)
        return KITH_OK;
    snprintf(why, sizeof why, "this is for %s runs, but the study says partition: %s",
             partition_name(wants), partition_name(s->partition));
    return refuse(s, why, error);
}

/* The number of sites that the caller wants and the one that the split makes. */
static kith_status settle_sites(simulate_split *s, uint32_t sites, kith_error *error)
{
    char why[120];
    if (s->kind == SPLIT_ROWS || s->kind == SPLIT_HASH || s->kind == SPLIT_BY)
        s->row_parts = sites;
    s->sites = s->row_parts * s->column_parts;
    if (sites != 0 && s->sites != sites) {
        snprintf(why, sizeof why, "this makes %u sites, not %u", s->sites, sites);
        return refuse(s, why, error);
    }
    if (s->sites == 0)
        return error_set(error, KITH_INVALID, "how many sites? The split does not say it");
    if (s->sites < 2 || s->sites > SITES_MOST)
        return error_set(error, KITH_INVALID, "expected 2 to %d sites, not %u", SITES_MOST,
                         s->sites);
    return KITH_OK;
}

/* Quasi-identifiers evenly in order; other columns go with the quasi-identifier before them. */
static kith_status deal_evenly(simulate_split *s, const kith_study *study, kith_error *error)
{
    uint32_t quasi = 0, seen = 0;
    for (uint32_t i = 0; i < study->columns; i++)
        quasi += study->column[i].role == ROLE_QUASI_IDENTIFYING;
    if (s->column_parts > 1 && quasi < s->column_parts)
        return error_set(
            error, KITH_INVALID,
            "%u quasi-identifying columns cannot be dealt to %u sites with at least one each",
            quasi, s->column_parts);
    for (uint32_t i = 0; i < study->columns; i++) {
        if (study->column[i].role == ROLE_IDENTIFYING)
            continue;
        seen += study->column[i].role == ROLE_QUASI_IDENTIFYING;
        s->column_part[i] = seen == 0 ? 0 : (seen - 1) * s->column_parts / quasi;
    }
    return KITH_OK;
}

static kith_status deal_column(simulate_split *s, const kith_study *study, const char *name,
                               size_t length, uint32_t part, kith_error *error)
{
    char quoted[80], why[240];
    text_quote(quoted, sizeof quoted, name, length);
    for (uint32_t i = 0; i < study->columns; i++) {
        const study_column *c = &study->column[i];
        if (strlen(c->name) != length || memcmp(c->name, name, length) != 0)
            continue;
        if (c->role == ROLE_IDENTIFYING)
            snprintf(why, sizeof why, "column %s is identifying and takes no part", quoted);
        else if (s->column_part[i] != UINT32_MAX)
            snprintf(why, sizeof why, "column %s is listed twice", quoted);
        else {
            s->column_part[i] = part;
            return KITH_OK;
        }
        return refuse(s, why, error);
    }
    snprintf(why, sizeof why, "the study has no column '%s'", quoted);
    return refuse(s, why, error);
}

static kith_status check_all_dealt(const simulate_split *s, const kith_study *study,
                                   kith_error *error)
{
    char why[240];
    for (uint32_t i = 0; i < study->columns; i++)
        if (study->column[i].role != ROLE_IDENTIFYING && s->column_part[i] == UINT32_MAX) {
            snprintf(why, sizeof why, "no site gets column %.100s", study->column[i].name);
            return refuse(s, why, error);
        }
    return KITH_OK;
}

/* "a,b/c,d" */
static kith_status deal_as_listed(simulate_split *s, const kith_study *study, kith_error *error)
{
    uint32_t part = 0;
    for (const char *at = s->text + strlen("columns:");; at++) {
        size_t length = strcspn(at, ",/");
        if (length == 0)
            return refuse(s, "a site without columns, or a column without name", error);
        TRY(deal_column(s, study, at, length, part, error));
        at += length;
        if (*at == '\0')
            return check_all_dealt(s, study, error);
        part += *at == '/';
    }
}

static kith_status deal_columns(simulate_split *s, arena *memory, const kith_study *study,
                                kith_error *error)
{
    s->column_part = TRY_ALLOC(arena_array(memory, study->columns, sizeof *s->column_part), error);
    for (uint32_t i = 0; i < study->columns; i++)
        s->column_part[i] = UINT32_MAX;
    if (s->kind == SPLIT_COLUMNS && s->text != NULL)
        return deal_as_listed(s, study, error);
    return deal_evenly(s, study, error);
}

kith_status simulate_split_read(simulate_split *s, arena *memory, const kith_study *study,
                                partition_kind named, const char *text, uint32_t sites,
                                kith_error *error)
{
    *s = (simulate_split){.partition = named};
    if (text != NULL) {
        s->text = TRY_ALLOC(arena_strdup(memory, text), error);
        TRY(read_kind(s, error));
        TRY(check_partition(s, error));
    } else {
        if (s->partition == PARTITION_NONE)
            s->partition = PARTITION_HORIZONTAL;
        TRY(choose_default(s, sites, error));
    }
    TRY(settle_sites(s, sites, error));
    return deal_columns(s, memory, study, error);
}

static kith_status deal_at_random(simulate_split *s, arena *memory, uint32_t rows, uint64_t seed,
                                  kith_error *error)
{
    enum { STREAM = 0x5150 };
    rng r;
    uint32_t *order = TRY_ALLOC(arena_array(memory, rows, sizeof *order), error);
    for (uint32_t i = 0; i < rows; i++)
        order[i] = i;
    rng_init(&r, seed, STREAM);
    rng_shuffle(&r, order, rows);
    for (uint32_t i = 0; i < rows; i++)
        s->row_part[order[i]] = i % s->row_parts;
    arena_release(memory, order, rows * sizeof *order);
    return KITH_OK;
}

static uint32_t hash_part(const char *text, size_t length, uint32_t parts)
{
    uint64_t hash;
    crypto_generichash((unsigned char *)&hash, sizeof hash, (const unsigned char *)text, length,
                       NULL, 0);
    return (uint32_t)(hash % parts);
}

/* A missing value is one of its own, and stands last. */
static void parts_by_hash(const simulate_split *s, const dictionary *values, uint32_t *part)
{
    for (uint32_t code = 0; code < values->count; code++)
        part[code] =
            hash_part(dictionary_text(values, code), dictionary_length(values, code), s->row_parts);
    part[values->count] = hash_part("", 0, s->row_parts);
}

static kith_status parts_by_value(const simulate_split *s, const column *c, uint32_t rows,
                                  uint32_t *part, kith_error *error)
{
    char why[160];
    uint32_t seen = 0;
    for (uint32_t i = 0; i <= c->values.count; i++)
        part[i] = UINT32_MAX;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t code = c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row];
        if (part[code] == UINT32_MAX)
            part[code] = seen++ % s->row_parts;
    }
    if (seen >= s->row_parts)
        return KITH_OK;
    snprintf(why, sizeof why, "the column has %u different values, too few for %u sites", seen,
             s->row_parts);
    return refuse(s, why, error);
}

static kith_status deal_by_value(simulate_split *s, arena *memory, const kith_table *table,
                                 kith_error *error)
{
    uint32_t found = table_find(table, s->column);
    if (found == UINT32_MAX)
        return refuse(s, "the data has no such column", error);
    const column *c = &table->column[found];
    /* [count]: missing cells */
    uint32_t *part =
        TRY_ALLOC(arena_array(memory, c->values.count + (size_t)1, sizeof *part), error);
    if (s->kind == SPLIT_HASH)
        parts_by_hash(s, &c->values, part);
    else
        TRY(parts_by_value(s, c, table->rows, part, error));
    for (uint32_t row = 0; row < table->rows; row++)
        s->row_part[row] = part[c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row]];
    return KITH_OK;
}

kith_status simulate_split_rows(simulate_split *s, arena *memory, const kith_table *table,
                                uint64_t seed, kith_error *error)
{
    s->row_part = TRY_ALLOC(arena_zalloc(memory, table->rows, sizeof *s->row_part), error);
    if (s->kind == SPLIT_COLUMNS)
        return KITH_OK;
    if (s->column != NULL)
        return deal_by_value(s, memory, table, error);
    return deal_at_random(s, memory, table->rows, seed, error);
}
