#include "job/rehearse/simulate_split.h"

#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "core/text.h"
#include "job/prepare/equal_values.h"
#include "table/rows/row_groups.h"

/* An error that quotes the split as the user wrote it. */
static kith_status __attribute__((format(printf, 3, 4)))
refuse(const simulate_split *s, kith_error *error, const char *format, ...)
{
    char quoted[120], why[240];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
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
    if (a < 2 || b < 2 || a > SIMULATE_MAX_SITES || b > SIMULATE_MAX_SITES)
        return false;
    *rows = (uint32_t)a;
    *columns = (uint32_t)b;
    return true;
}

/* Parses the text of a split, apart from the columns in it. */
static kith_status read_kind(simulate_split *s, kith_error *error)
{
    const char *text = s->text;
    s->n_row_parts = s->n_column_parts = 1;
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
        for (const char *at = text + 8; *at != '\0'; at++)
            s->n_column_parts += *at == '/';
    } else if (read_grid(text, &s->n_row_parts, &s->n_column_parts)) {
        s->kind = SPLIT_GRID;
    } else {
        return refuse(
            s, error,
            "expected rows, hash:COLUMN, by:COLUMN, columns:A,B/C,D or a grid such as 2x2");
    }
    return KITH_OK;
}

/* Splits n_sites into rows x columns with as few parts of columns as possible, since every part
 * needs a quasi-identifier. */
static kith_status choose_grid(simulate_split *s, uint32_t n_sites, kith_error *error)
{
    s->kind = SPLIT_GRID;
    for (uint32_t c = 2; c * 2 <= n_sites; c++)
        if (n_sites % c == 0) {
            s->n_column_parts = c;
            s->n_row_parts = n_sites / c;
            return KITH_OK;
        }
    error_set(error, KITH_INVALID, "%u sites make no grid of rows x columns", n_sites);
    return error_hint(error, KITH_INVALID, "take 4 sites or more, and not a prime number of them");
}

/* A split is for one kind of partition, and the study may name another. */
static kith_status check_partition(simulate_split *s, kith_error *error)
{
    const partition_kind wants = s->kind == SPLIT_COLUMNS ? PARTITION_VERTICAL
                                 : s->kind == SPLIT_GRID  ? PARTITION_HYBRID
                                                          : PARTITION_HORIZONTAL;
    if (s->partition == PARTITION_NONE)
        s->partition = wants;
    if (s->partition == wants)
        return KITH_OK;
    return refuse(s, error, "this is for %s runs, but the study says partition: %s",
                  options_partition_name(wants), options_partition_name(s->partition));
}

/* Assigns the quasi-identifiers evenly in study order. Other columns go with the quasi-identifier
 * before them. */
static kith_status assign_evenly(simulate_split *s, const kith_study *study, kith_error *error)
{
    uint32_t quasi = 0, seen = 0;
    for (uint32_t i = 0; i < study->n_columns; i++)
        quasi += study->columns[i].role == ROLE_QUASI_IDENTIFYING;
    if (s->n_column_parts > 1 && quasi < s->n_column_parts)
        return error_set(
            error, KITH_INVALID,
            "%u quasi-identifying columns cannot be distributed to %u sites with at least one each",
            quasi, s->n_column_parts);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        if (study->columns[i].role == ROLE_IDENTIFYING && !study_in_unit(study, i))
            continue;
        seen += study->columns[i].role == ROLE_QUASI_IDENTIFYING;
        s->part_of_column[i] = seen == 0 ? 0 : (seen - 1) * s->n_column_parts / quasi;
    }
    return KITH_OK;
}

/* Assigns one column of the list to a part. */
static kith_status assign_listed_column(simulate_split *s, const kith_study *study,
                                        const char *name, size_t length, uint32_t part,
                                        kith_error *error)
{
    char quoted[80];
    text_quote(quoted, sizeof quoted, name, length);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const study_column *c = &study->columns[i];
        if (strlen(c->name) != length || memcmp(c->name, name, length) != 0)
            continue;
        if (c->role == ROLE_IDENTIFYING)
            return refuse(s, error, "column %s is identifying and takes no part", quoted);
        if (s->part_of_column[i] != UINT32_MAX)
            return refuse(s, error, "column %s is listed twice", quoted);
        s->part_of_column[i] = part;
        return KITH_OK;
    }
    return refuse(s, error, "the study has no column '%s'", quoted);
}

/* "a,b/c,d": the columns of each site. Every column must be somewhere. */
static kith_status assign_as_listed(simulate_split *s, const kith_study *study, kith_error *error)
{
    uint32_t part = 0;
    for (const char *at = s->text + strlen("columns:");; at++) {
        size_t length = strcspn(at, ",/");
        if (length == 0)
            return refuse(s, error, "a site without columns, or a column without name");
        TRY(assign_listed_column(s, study, at, length, part, error));
        at += length;
        if (*at == '\0')
            break;
        part += *at == '/';
    }
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (study->columns[i].role != ROLE_IDENTIFYING && s->part_of_column[i] == UINT32_MAX)
            return refuse(s, error, "no site gets column %.100s", study->columns[i].name);
    return KITH_OK;
}

kith_status simulate_split_read(simulate_split *s, arena *memory, const kith_study *study,
                                partition_kind named, const char *text, uint32_t n_sites,
                                kith_error *error)
{
    *s = (simulate_split){.partition = named};
    if (text != NULL) {
        s->text = TRY_ALLOC(arena_strdup(memory, text), error);
        TRY(read_kind(s, error));
        TRY(check_partition(s, error));
    } else {
        s->n_row_parts = s->n_column_parts = 1;
        if (s->partition == PARTITION_NONE)
            s->partition = PARTITION_HORIZONTAL;
        if (s->partition == PARTITION_HYBRID) {
            TRY(choose_grid(s, n_sites, error));
        } else if (s->partition == PARTITION_VERTICAL) {
            s->kind = SPLIT_COLUMNS;
            s->n_column_parts = n_sites;
        } else {
            s->kind = SPLIT_ROWS;
        }
    }
    /* Reconciles the number of sites that the caller wants with that of the split. */
    if (s->kind == SPLIT_ROWS || s->kind == SPLIT_HASH || s->kind == SPLIT_BY)
        s->n_row_parts = n_sites;
    s->n_sites = s->n_row_parts * s->n_column_parts;
    if (n_sites != 0 && s->n_sites != n_sites)
        return refuse(s, error, "this makes %u sites, not %u", s->n_sites, n_sites);
    if (s->n_sites == 0)
        return error_set(error, KITH_INVALID,
                         "the split does not say how many sites there are: use --sites N");
    if (s->n_sites < 2 || s->n_sites > SIMULATE_MAX_SITES)
        return error_set(error, KITH_INVALID, "expected 2 to %d sites, not %u", SIMULATE_MAX_SITES,
                         s->n_sites);
    s->part_of_column = TRY_ARRAY(s->part_of_column, memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++)
        s->part_of_column[i] = UINT32_MAX;
    if (s->kind == SPLIT_COLUMNS && s->text != NULL)
        TRY(assign_as_listed(s, study, error));
    else
        TRY(assign_evenly(s, study, error));
    CHECK(simulate_split_check(s, study, 0));
    return KITH_OK;
}

/* A hash without a key: the split does not depend on the seed. */
static uint32_t hash_part(const char *text, size_t length, uint32_t n_parts)
{
    uint64_t hash;
    crypto_generichash((unsigned char *)&hash, sizeof hash, (const unsigned char *)text, length,
                       NULL, 0);
    return (uint32_t)(hash % n_parts);
}

/* The part of each value by turns, in the order in which the values appear. */
static kith_status parts_by_value(const simulate_split *s, const column *c, uint32_t n_rows,
                                  uint32_t *part, kith_error *error)
{
    uint32_t seen = 0;
    for (uint32_t i = 0; i <= c->values.count; i++)
        part[i] = UINT32_MAX;
    for (uint32_t row = 0; row < n_rows; row++) {
        uint32_t code = c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row];
        if (part[code] == UINT32_MAX)
            part[code] = seen++ % s->n_row_parts;
    }
    if (seen >= s->n_row_parts)
        return KITH_OK;
    return refuse(s, error, "the column has %u different values, too few for %u sites", seen,
                  s->n_row_parts);
}

/* Rows with the same value of the column are in the same part. */
static kith_status assign_by_value(simulate_split *s, arena *memory, const kith_table *table,
                                   kith_error *error)
{
    uint32_t found = table_find(table, s->column);
    if (found == UINT32_MAX)
        return refuse(s, error, "the data has no such column");
    const column *c = &table->columns[found];
    uint32_t *part = /* of each value, then of missing cells */
        TRY_ALLOC(arena_array(memory, c->values.count + (size_t)1, sizeof *part), error);
    if (s->kind == SPLIT_HASH) {
        /* missing cells count as one value, the last entry */
        for (uint32_t code = 0; code < c->values.count; code++)
            part[code] = hash_part(dictionary_text(&c->values, code),
                                   dictionary_length(&c->values, code), s->n_row_parts);
        part[c->values.count] = hash_part("", 0, s->n_row_parts);
    } else {
        TRY(parts_by_value(s, c, table->n_rows, part, error));
    }
    for (uint32_t row = 0; row < table->n_rows; row++)
        s->part_of_row[row] =
            part[c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row]];
    return KITH_OK;
}

/* The rows that are distributed together: those of a person, where the study says that no person is
 * at two sites. */
static kith_status group_rows(row_groups *g, arena *memory, const kith_study *study,
                              const kith_table *table, kith_error *error)
{
    const uint32_t n = study->joint.overlap == OVERLAP_MATCHED ? 0 : study->n_unit;
    uint32_t *columns = TRY_ARRAY(columns, memory, n, error);
    for (uint32_t i = 0; i < n; i++)
        columns[i] = table_find(table, study->columns[study->unit[i]].name);
    if (n > 0) { /* 12 and 012 are one number */
        TRY(equal_values_table(&table, study, table, memory, error));
        return row_groups_by(g, memory, table, columns, n, error);
    }
    *g = (row_groups){table->n_rows, table->n_rows, NULL};
    return KITH_OK;
}

kith_status simulate_split_rows(simulate_split *s, arena *memory, const kith_study *study,
                                const kith_table *table, uint64_t seed, kith_error *error)
{
    s->part_of_row = TRY_ZEROS(s->part_of_row, memory, table->n_rows, error);
    if (s->kind == SPLIT_COLUMNS)
        return KITH_OK;
    if (s->column != NULL)
        return assign_by_value(s, memory, table, error);
    /* The parts take turns with shuffled rows: their sizes differ by one at most. */
    enum { STREAM = 0x5150 };
    rng r;
    row_groups g;
    TRY(group_rows(&g, memory, study, table, error));
    uint32_t *order = TRY_ARRAY(order, memory, g.count, error);
    uint32_t *part = TRY_ARRAY(part, memory, g.count, error);
    for (uint32_t i = 0; i < g.count; i++)
        order[i] = i;
    rng_init(&r, seed, STREAM);
    rng_shuffle(&r, order, g.count);
    for (uint32_t i = 0; i < g.count; i++)
        part[order[i]] = i % s->n_row_parts;
    for (uint32_t row = 0; row < table->n_rows; row++)
        s->part_of_row[row] = part[g.of == NULL ? row : g.of[row]];
    arena_release(memory, part, g.count * sizeof *part);
    arena_release(memory, order, g.count * sizeof *order);
    return KITH_OK;
}

bool simulate_split_has_column(const simulate_split *s, const kith_study *study, uint32_t site,
                               const char *name)
{
    ASSERT(site < s->n_sites);
    const uint32_t at = study_find_column(study, name);
    return at != UINT32_MAX && s->part_of_column[at] == site % s->n_column_parts;
}

#if KITH_DEBUG
void simulate_split_check(const simulate_split *s, const kith_study *study, uint32_t n_rows)
{
    ASSERT(s->n_sites >= 2 && s->n_sites <= SIMULATE_MAX_SITES);
    ASSERT(s->n_sites == s->n_row_parts * s->n_column_parts);
    for (uint32_t i = 0; i < study->n_columns; i++)
        ASSERT(study->columns[i].role == ROLE_IDENTIFYING && !study_in_unit(study, i)
                   ? s->part_of_column[i] == UINT32_MAX
                   : s->part_of_column[i] < s->n_column_parts);
    for (uint32_t row = 0; s->part_of_row != NULL && row < n_rows; row++)
        ASSERT(s->part_of_row[row] < s->n_row_parts);
}
#endif
