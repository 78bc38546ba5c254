#include "job/profile/server_profile.h"

#include "core/error.h"
#include "job/profile/dependencies.h"
#include "job/profile/description.h"
#include "table/postgres_table.h"

typedef struct server_profile {
    const postgres_table *table;
    const kith_study *study;
    context *context;
    column_profile *profiles; /* [n_columns]; of their columns only the names remain */
    uint32_t n_rows;
    uint32_t *quasi; /* columns */
    const char **quasi_names;
    uint32_t n_quasi;
    uint32_t asked_of;    /* the column of which the server has told what it determines */
    uint64_t *determined; /* [n_columns] 1: it does */
} server_profile;

/* Without an order, and without a primary key, numbers do not count as rising. */
static kith_status server_monotone(bool *monotone, const void *rows, const column *c,
                                   const int64_t *value, kith_error *error)
{
    const postgres_table *t = rows;
    uint32_t at;
    uint64_t broken[2];
    (void)value;
    *monotone = false;
    if (t->order[0] == '\0')
        return KITH_OK;
    TRY(postgres_table_column(&at, t, c->name, error));
    arena *scratch = TRY_ALLOC(arena_new(), error);
    const char *select = arena_printf(
        scratch,
        "SELECT count(*) FILTER (WHERE now <= before), count(*) FILTER (WHERE now >= before) FROM "
        "(SELECT now, lag(now) OVER (ORDER BY place) AS before FROM "
        "(SELECT (%s)::numeric AS now, row_number() OVER (ORDER BY %s) AS place FROM %s) numbered "
        "WHERE now IS NOT NULL) pairs",
        t->columns[at].cell, t->order, t->from);
    kith_status status = postgres_table_numbers(broken, 2, t, select, error);
    arena_free(scratch);
    *monotone = status == KITH_OK && (broken[0] == 0 || broken[1] == 0);
    return status;
}

/* Only the name of the column lives on. */
static kith_status put_column(server_profile *s, kith_document *d, document_node *columns,
                              uint32_t i, kith_error *error)
{
    const kith_column_spec spec = {.name = s->table->columns[i].name};
    const serial_order order = {server_monotone, s->table};
    context *c = s->context;
    postgres_values v;
    column *named = TRY_ALLOC(arena_zalloc(c->memory, 1, sizeof *named), error);
    TRY(postgres_table_values(&v, s->table, &spec, error));
    const column *values = &v.table->columns[0];
    arena *scratch = arena_new();
    kith_status status = scratch == NULL ? error_nomem(error) : KITH_OK;
    s->n_rows = (uint32_t)v.n_rows;
    if (status == KITH_OK)
        status = profile_column(&s->profiles[i], values, v.counts, s->n_rows, false, &order,
                                scratch, error);
    if (status == KITH_OK)
        status = description_put_column(d, columns, &s->profiles[i], v.counts, s->study, s->n_rows,
                                        scratch, error);
    named->name = spec.name;
    s->profiles[i].column = named;
    arena_free(scratch);
    kith_table_free(v.table);
    return status;
}

/* Rows without any value are no records: they are counted, and then left out of everything. */
static kith_status leave_out_empty(postgres_table *t, kith_document *d, arena *memory,
                                   kith_error *error)
{
    uint64_t n_empty;
    const char *empty = "";
    for (uint32_t i = 0; i < t->n_columns && empty != NULL; i++)
        empty = arena_printf(memory, "%s%s(%s) IS NULL", empty, i == 0 ? "" : " AND ",
                             t->columns[i].cell);
    TRY_ALLOC(empty, error);
    const char *count = arena_printf(memory, "SELECT count(*) FROM %s WHERE %s", t->from, empty);
    TRY(postgres_table_numbers(&n_empty, 1, t, count, error));
    document_put_count(d, document_root(d), "empty", n_empty);
    if (n_empty > 0)
        t->from = TRY_ALLOC(
            arena_printf(memory, "(SELECT * FROM %s WHERE NOT (%s)) kept", t->from, empty), error);
    return KITH_OK;
}

static kith_status put_columns(server_profile *s, kith_document *d, kith_error *error)
{
    document_node *root = document_root(d);
    uint64_t n_rows;
    arena *memory = s->context->memory;
    const char *count = arena_printf(memory, "SELECT count(*) FROM %s", s->table->from);
    TRY(postgres_table_numbers(&n_rows, 1, s->table, count, error));
    document_put_text(d, root, "data", s->table->shown);
    document_put_count(d, root, "records", n_rows);
    document_node *columns = document_array(d, root, "columns");
    for (uint32_t i = 0; i < s->table->n_columns; i++) {
        TRY(put_column(s, d, columns, i, error));
        if (description_is_quasi(&s->profiles[i], s->study)) {
            s->quasi[s->n_quasi] = i;
            s->quasi_names[s->n_quasi++] = s->table->columns[i].name;
        }
        if (!context_progress(s->context, "describe", (i + 1.0) / s->table->n_columns))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    return KITH_OK;
}

/* One question for all columns that a column may determine. Within each of its values the others
 * are all missing, or none is and the least is the greatest. */
static kith_status ask_determined(server_profile *s, uint32_t a, kith_error *error)
{
    const postgres_table *t = s->table;
    const char *inner = "", *outer = "";
    arena *scratch = TRY_ALLOC(arena_new(), error);
    for (uint32_t i = 0; i < t->n_columns && inner != NULL && outer != NULL; i++) {
        const char *cell = t->columns[i].cell;
        inner = arena_printf(scratch,
                             "%s, (count(%s) = 0 OR (count(%s) = count(*) AND min((%s)::text) = "
                             "max((%s)::text)))::int AS yes%u",
                             inner, cell, cell, cell, cell, i);
        outer = arena_printf(scratch, "%s%smin(yes%u)", outer, i == 0 ? "" : ", ", i);
    }
    const char *select = inner == NULL || outer == NULL
                             ? NULL
                             : arena_printf(scratch,
                                            "SELECT %s FROM (SELECT %s AS value%s FROM %s GROUP BY "
                                            "1) each",
                                            outer, t->columns[a].cell, inner, t->from);
    kith_status status = postgres_table_numbers(s->determined, t->n_columns, t, select, error);
    arena_free(scratch);
    s->asked_of = a;
    return status;
}

static kith_status server_determines(void *self, uint32_t a, uint32_t b, bool *yes, double *n_cells,
                                     kith_error *error)
{
    server_profile *s = self;
    (void)n_cells;
    if (s->asked_of != a)
        TRY(ask_determined(s, a, error));
    *yes = s->determined[b] == 1;
    return KITH_OK;
}

static kith_status server_classes(void *self, const uint32_t *which, uint32_t n,
                                  class_counts *found, kith_error *error)
{
    const server_profile *s = self;
    uint64_t numbers[3] = {0};
    arena *scratch = TRY_ALLOC(arena_new(), error);
    uint32_t *columns = arena_array(scratch, n, sizeof *columns);
    for (uint32_t i = 0; columns != NULL && i < n; i++)
        columns[i] = s->quasi[which[i]];
    const char *groups =
        columns == NULL ? NULL : postgres_table_groups(s->table, columns, n, scratch);
    const char *select =
        groups == NULL
            ? NULL
            : arena_printf(
                  scratch,
                  "SELECT count(*), count(*) FILTER (WHERE n = 1), min(n) FROM (%s) classes",
                  groups);
    kith_status status = postgres_table_numbers(numbers, 3, s->table, select, error);
    arena_free(scratch);
    *found = (class_counts){(uint32_t)numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2]};
    return status;
}

kith_status server_profile_put(kith_document *d, const char *uri, const kith_table_options *options,
                               const kith_study *study, context *c, kith_error *error)
{
    postgres_table *table;
    TRY(postgres_table_open(&table, c->memory, uri, options, c->run, error));
    TRY(leave_out_empty(table, d, c->memory, error));
    server_profile s = {.table = table, .study = study, .context = c, .asked_of = table->n_columns};
    s.profiles = TRY_ALLOC(arena_zalloc(c->memory, table->n_columns, sizeof *s.profiles), error);
    s.quasi = TRY_ALLOC(arena_array(c->memory, table->n_columns, sizeof *s.quasi), error);
    s.quasi_names =
        TRY_ALLOC(arena_array(c->memory, table->n_columns, sizeof *s.quasi_names), error);
    s.determined =
        TRY_ALLOC(arena_zalloc(c->memory, table->n_columns, sizeof *s.determined), error);
    TRY(put_columns(&s, d, error));
    const dependencies_data pairs = {.profiles = s.profiles,
                                     .n_columns = table->n_columns,
                                     .n_rows = s.n_rows,
                                     .determines = server_determines,
                                     .self = &s};
    TRY(dependencies_put_found(d, &pairs, c, error));
    const class_counter counter = {.names = s.quasi_names, .count = server_classes, .self = &s};
    TRY(description_put_quasi(d, &counter, s.n_quasi, s.n_rows, study != NULL, c, error));
    return document_status(d, error);
}
