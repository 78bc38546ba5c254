#include "table/postgres_table.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "table/postgres_source.h"

/* Types of the server (pg_type.dat) of which equal values have equal texts, so that it can group by
 * the column itself: then another server to which it hands the question can, too. */
enum {
    TYPE_BOOL = 16,
    TYPE_INT8 = 20,
    TYPE_INT2 = 21,
    TYPE_INT4 = 23,
    TYPE_TEXT = 25,
    TYPE_OID = 26,
    TYPE_BPCHAR = 1042,
    TYPE_VARCHAR = 1043,
    TYPE_DATE = 1082,
    TYPE_TIMESTAMP = 1114,
    TYPE_NUMERIC = 1700,
    TYPE_UUID = 2950
};

static bool is_plain(Oid type, int modifier)
{
    switch (type) {
    case TYPE_BOOL:
    case TYPE_INT8:
    case TYPE_INT2:
    case TYPE_INT4:
    case TYPE_OID:
    case TYPE_DATE:
    case TYPE_TIMESTAMP:
    case TYPE_UUID: return true;
    case TYPE_NUMERIC: return modifier >= 0; /* all values have as many digits behind the point */
    default: return false;
    }
}

/* The text of a cell, as COPY writes it. Blanks at the end of character(n) are lost by a cast. */
static const char *text_of(arena *memory, const char *quoted, Oid type, bool by_bytes)
{
    if (type == TYPE_BOOL)
        return arena_printf(memory, "CASE WHEN %s THEN 't' WHEN NOT %s THEN 'f' END", quoted,
                            quoted);
    if (type == TYPE_BPCHAR)
        return arena_printf(memory, "CASE WHEN %s IS NULL THEN NULL ELSE concat(%s) END", quoted,
                            quoted);
    if ((type == TYPE_TEXT || type == TYPE_VARCHAR) && !by_bytes)
        return quoted;
    return arena_printf(memory, "%s::text COLLATE \"C\"", quoted);
}

/* NULL where the text means missing. */
static const char *without_missing(const postgres_table *t, const char *text)
{
    static const char *const empty[] = {""};
    const bool given = t->options.missing_values != NULL;
    const char *const *missing = given ? t->options.missing_values : empty;
    const size_t count = given ? t->options.n_missing_values : 1;
    const char *list = "";
    for (size_t i = 0; i < count && list != NULL; i++) {
        const char *literal = postgres_literal(t->db, t->memory, missing[i]);
        list = literal == NULL
                   ? NULL
                   : arena_printf(t->memory, "%s%s%s", list, i == 0 ? "" : ", ", literal);
    }
    if (list == NULL || count == 0)
        return list == NULL ? NULL : text;
    return arena_printf(t->memory, "CASE WHEN %s IN (%s) THEN NULL ELSE %s END", text, list, text);
}

/* Can the text of a number, a date or the like mean missing? Such as -9 and NaN can, and NA
 * cannot. */
static bool numbers_may_miss(const kith_table_options *options)
{
    for (size_t i = 0; options->missing_values != NULL && i < options->n_missing_values; i++) {
        const char *text = options->missing_values[i];
        if (text[0] == '-' || (text[0] >= '0' && text[0] <= '9') ||
            (text[0] >= 'a' && text[0] <= 'z') || strcmp(text, "NaN") == 0)
            return true;
    }
    return false;
}

/* Numbers and dates have no blanks, and are never empty. */
static const char *cell_of(const postgres_table *t, postgres_column *c, Oid type, int modifier,
                           bool by_bytes)
{
    if (is_plain(type, modifier) && !numbers_may_miss(&t->options))
        return c->quoted;
    const char *text = text_of(t->memory, c->quoted, type, by_bytes);
    if (text != NULL && t->options.trim)
        text = arena_printf(t->memory, "btrim(%s, E' \\t\\r\\n')", text);
    return text == NULL ? NULL : without_missing(t, text);
}

/* Columns whose collation takes different texts for equal. */
static kith_status loose_columns(PGresult **names, const postgres_table *t, kith_error *error)
{
    const char *table = TRY_ALLOC(postgres_literal(t->db, t->memory, t->from), error);
    return postgres_query(
        t->db, t->memory,
        arena_printf(t->memory,
                     "SELECT attname FROM pg_attribute JOIN pg_collation c ON c.oid = attcollation "
                     "WHERE attrelid = %s::regclass AND NOT collisdeterministic",
                     table),
        PGRES_TUPLES_OK, "read", names, error);
}

static bool among(const PGresult *names, const char *name)
{
    for (int i = 0; i < PQntuples(names); i++)
        if (strcmp(PQgetvalue(names, i, 0), name) == 0)
            return true;
    return false;
}

static kith_status find_columns(postgres_table *t, kith_error *error)
{
    const char **names = NULL;
    size_t width = 0;
    PGresult *described = NULL, *loose = NULL;
    TRY(postgres_source_names(t->db, t->memory, &names, &width, &described, error));
    TRY(loose_columns(&loose, t, error));
    if (width == 0)
        return error_set(error, KITH_DATA, "%s: a table without columns", t->shown);
    t->n_columns = (uint32_t)width;
    t->columns = TRY_ALLOC(arena_zalloc(t->memory, width, sizeof *t->columns), error);
    for (size_t i = 0; i < width; i++) {
        postgres_column *c = &t->columns[i];
        c->name = names[i];
        c->quoted = TRY_ALLOC(postgres_quote(t->memory, names[i]), error);
        c->cell = TRY_ALLOC(cell_of(t, c, PQftype(described, (int)i), PQfmod(described, (int)i),
                                    among(loose, names[i])),
                            error);
    }
    return KITH_OK;
}

/* A server hands no count to others unless it groups by what the table is partitioned by; so it is
 * asked about the parts. */
static kith_status find_parts(postgres_table *t, kith_error *error)
{
    PGresult *parts = NULL;
    const char *table = TRY_ALLOC(postgres_literal(t->db, t->memory, t->from), error);
    TRY(postgres_query(t->db, t->memory,
                       arena_printf(t->memory,
                                    "SELECT relid::regclass::text, relkind = 'f' FROM "
                                    "pg_partition_tree(%s) JOIN pg_class ON oid = relid WHERE "
                                    "isleaf AND level > 0 ORDER BY 1",
                                    table),
                       PGRES_TUPLES_OK, "read", &parts, error));
    const int count = PQntuples(parts);
    bool elsewhere = false;
    t->parts = TRY_ALLOC(arena_array(t->memory, (size_t)count, sizeof *t->parts), error);
    for (int i = 0; i < count; i++) {
        t->parts[i] = PQgetvalue(parts, i, 0);
        elsewhere = elsewhere || strcmp(PQgetvalue(parts, i, 1), "t") == 0;
    }
    t->n_parts = elsewhere ? (uint32_t)count : 0;
    return KITH_OK;
}

/* Names the columns of the primary key, in its order. */
static kith_status find_key(postgres_table *t, kith_error *error)
{
    PGresult *key = NULL;
    const char *table = TRY_ALLOC(postgres_literal(t->db, t->memory, t->from), error);
    TRY(postgres_query(t->db, t->memory,
                       arena_printf(t->memory,
                                    "SELECT attname FROM pg_index i, unnest(i.indkey) WITH "
                                    "ORDINALITY k (number, place), pg_attribute a WHERE i.indrelid "
                                    "= %s::regclass AND i.indisprimary AND a.attrelid = i.indrelid "
                                    "AND a.attnum = k.number ORDER BY place",
                                    table),
                       PGRES_TUPLES_OK, "read", &key, error));
    for (int i = 0; i < PQntuples(key); i++) {
        const char *quoted = TRY_ALLOC(postgres_quote(t->memory, PQgetvalue(key, i, 0)), error);
        t->order = TRY_ALLOC(
            arena_printf(t->memory, "%s%s%s", t->order, i == 0 ? "" : ", ", quoted), error);
    }
    t->by_key = t->order[0] != '\0';
    return KITH_OK;
}

static kith_status find_order(postgres_table *t, kith_error *error)
{
    t->order = "";
    if (t->db->n_order == 0)
        return find_key(t, error);
    for (size_t i = 0; i < t->db->n_order; i++) {
        uint32_t at;
        TRY(postgres_table_column(&at, t, t->db->order[i], error));
        t->order = TRY_ALLOC(
            arena_printf(t->memory, "%s%s%s", t->order, i == 0 ? "" : ", ", t->columns[at].quoted),
            error);
    }
    return KITH_OK;
}

kith_status postgres_table_open(postgres_table **result, arena *memory, const char *uri,
                                const kith_table_options *options, const kith_run *run,
                                kith_error *error)
{
    postgres_table *t = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *t), error);
    t->memory = memory;
    t->options = *options;
    t->run = run;
    TRY(postgres_open(&t->db, memory, uri, run, "load", error));
    t->from = t->db->quoted;
    t->shown = t->db->shown;
    TRY(postgres_run(t->db, postgres_snapshot, PGRES_COMMAND_OK, "read", error));
    TRY(find_columns(t, error));
    TRY(find_order(t, error));
    TRY(find_parts(t, error));
    *result = t;
    return KITH_OK;
}

kith_status postgres_table_column(uint32_t *at, const postgres_table *t, const char *name,
                                  kith_error *error)
{
    for (*at = 0; *at < t->n_columns; ++*at)
        if (strcmp(t->columns[*at].name, name) == 0)
            return KITH_OK;
    kith_column_spec wanted = {.name = name};
    kith_table_options options = {.columns = &wanted, .n_columns = 1};
    const source s = {.name = t->shown, .options = &options, .scratch = t->memory};
    const char **names = TRY_ALLOC(arena_array(t->memory, t->n_columns, sizeof *names), error);
    const kith_column_spec *specs;
    uint32_t *pick;
    size_t count;
    for (uint32_t i = 0; i < t->n_columns; i++)
        names[i] = t->columns[i].name;
    return source_pick(&s, names, t->n_columns, &specs, &pick, &count, error);
}

static kith_status read_selected(const source *s, const postgres_table *t, const char *select,
                                 const kith_column_spec *specs, size_t count, kith_table **result,
                                 kith_error *error)
{
    table_builder *b;
    TRY(table_builder_new(&b, s->memory, s->name, specs, count, s->options, error));
    TRY(postgres_source_select(s, t->db, select, b, count, error));
    return table_builder_finish(b, result, error);
}

/* Reads what a SELECT gives as a table with these columns: types, missing values and blanks are
 * those of the options. Free with kith_table_free. A NULL `select` means out of memory. */
static kith_status select_table(kith_table **result, const postgres_table *t, const char *select,
                                const kith_column_spec *specs, size_t count, kith_error *error)
{
    TRY_ALLOC(select, error);
    *result = NULL;
    const source s = {.name = t->shown,
                      .options = &t->options,
                      .run = t->run,
                      .counted = true,
                      .memory = arena_new(),
                      .scratch = arena_new()};
    kith_status status = s.memory == NULL || s.scratch == NULL
                             ? error_nomem(error)
                             : read_selected(&s, t, select, specs, count, result, error);
    arena_free(s.scratch);
    if (status != KITH_OK)
        arena_free(s.memory);
    return status;
}

kith_status postgres_table_numbers(uint64_t *numbers, size_t count, const postgres_table *t,
                                   const char *select, kith_error *error)
{
    return postgres_numbers(numbers, count, t->db, select, error);
}

/* The same of one table. */
static const char *groups_of(const char *from, const postgres_table *t, const uint32_t *columns,
                             size_t count, arena *memory)
{
    const char *cells = "", *numbers = "";
    for (size_t i = 0; i < count && cells != NULL && numbers != NULL; i++) {
        cells = arena_printf(memory, "%s%s AS c%zu, ", cells, t->columns[columns[i]].cell, i);
        numbers = arena_printf(memory, "%s%s%zu", numbers, i == 0 ? " GROUP BY " : ", ", i + 1);
    }
    return cells == NULL || numbers == NULL
               ? NULL
               : arena_printf(memory, "SELECT %scount(*) AS n FROM %s%s", cells, from, numbers);
}

const char *postgres_table_groups(const postgres_table *t, const uint32_t *columns, size_t count,
                                  arena *memory)
{
    const char *all = "", *cells = "", *numbers = "";
    if (t->n_parts == 0)
        return groups_of(t->from, t, columns, count, memory);
    for (uint32_t i = 0; i < t->n_parts && all != NULL; i++) {
        const char *part = groups_of(t->parts[i], t, columns, count, memory);
        all = part == NULL
                  ? NULL
                  : arena_printf(memory, "%s%s(%s)", all, i == 0 ? "" : " UNION ALL ", part);
    }
    for (size_t i = 0; i < count && cells != NULL && numbers != NULL; i++) {
        cells = arena_printf(memory, "%sc%zu, ", cells, i);
        numbers = arena_printf(memory, "%s%s%zu", numbers, i == 0 ? " GROUP BY " : ", ", i + 1);
    }
    return all == NULL || cells == NULL || numbers == NULL
               ? NULL
               : arena_printf(memory, "SELECT %ssum(n)::bigint AS n FROM (%s) parts%s", cells, all,
                              numbers);
}

/* How many rows a group has; the mark before it keeps it from being among the texts that mean
 * missing. */
static uint64_t number_of(const column *counts, uint32_t row)
{
    return strtoull(dictionary_text(&counts->values, counts->codes[row]) + 1, NULL, 10);
}

/* Adds the counts of texts that have become the same value. */
static kith_status add_counts(postgres_values *v, const postgres_table *t, kith_error *error)
{
    const column *value = &v->table->columns[0], *number = &v->table->columns[1];
    uint32_t *counts = TRY_ALLOC(
        arena_zalloc(v->table->memory, (size_t)value->values.count + 1, sizeof *counts), error);
    v->n_rows = 0;
    for (uint32_t row = 0; row < v->table->n_rows; row++) {
        const uint32_t code = value->codes[row];
        const uint64_t n = number_of(number, row);
        v->n_rows += n;
        if (v->n_rows >= UINT32_MAX)
            return error_set(error, KITH_DATA, "%s: more than %u rows", t->shown, UINT32_MAX - 1);
        counts[code == TABLE_MISSING ? value->values.count : code] += (uint32_t)n;
    }
    v->counts = counts;
    v->table->n_columns = 1;
    return KITH_OK;
}

kith_status postgres_table_values(postgres_values *v, const postgres_table *t,
                                  const kith_column_spec *spec, kith_error *error)
{
    const kith_column_spec specs[] = {*spec, {.name = "count"}};
    uint32_t at;
    TRY(postgres_table_column(&at, t, spec->name, error));
    arena *scratch = TRY_ALLOC(arena_new(), error);
    const char *groups = postgres_table_groups(t, &at, 1, scratch);
    const char *select =
        groups == NULL
            ? NULL
            : arena_printf(scratch, "SELECT c0, E'\\x01' || n FROM (%s) counted", groups);
    kith_status status = select_table(&v->table, t, select, specs, 2, error);
    arena_free(scratch);
    TRY(status);
    status = add_counts(v, t, error);
    if (status != KITH_OK)
        kith_table_free(v->table);
    return status;
}
