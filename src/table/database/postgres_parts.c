#include "table/database/postgres_source.h"

#include <string.h>

#include "core/error.h"

/* Parts then have about as many rows each, but for some percent. */
enum { SAMPLE_OF_PART = 1000 };

/* A column of the order, and how its values are written as literals. */
typedef struct order_column {
    const char *quoted;
    const char *type, *collation; /* of SQL; the second may be "" */
    bool comparable;              /* by operators that everybody has, so that an index may help */
    bool never_null;
} order_column;

/* The order of all rows: that of the address, and then by the other columns that are read. */
typedef struct row_order {
    const postgres_reading *r;
    arena *memory;
    order_column *columns; /* [count] */
    size_t count;
    const char *row; /* "ROW(a, b)": such rows are compared as they are ordered, with NULL last */
} row_order;

static kith_status whole_pages(postgres_part *parts, const postgres_reading *r, uint32_t n_parts,
                               kith_error *error)
{
    arena *memory = r->s->scratch;
    for (uint32_t i = 0; i < n_parts; i++) {
        const uint64_t from = r->n_pages * i / n_parts, to = r->n_pages * (i + 1) / n_parts;
        const char *end = "";
        if (i + 1 < n_parts)
            end = TRY_ALLOC(arena_printf(memory, " AND ctid < '(%llu,0)'", (unsigned long long)to),
                            error);
        parts[i].where = TRY_ALLOC(
            arena_printf(memory, " WHERE ctid >= '(%llu,0)'%s", (unsigned long long)from, end),
            error);
        parts[i].before = TRY_ALLOC(
            arena_printf(memory, " WHERE ctid < '(%llu,0)'", (unsigned long long)from), error);
    }
    parts[0].before = "";
    return KITH_OK;
}

/* false: there is no such column. */
static kith_status postgres_parts_add_column(bool *found, row_order *o, const PGresult *columns,
                                             const char *name, kith_error *error)
{
    int row = 0;
    while (row < PQntuples(columns) && strcmp(PQgetvalue(columns, row, 0), name) != 0)
        row++;
    *found = row < PQntuples(columns);
    if (!*found)
        return KITH_OK;
    const char *quoted = TRY_ALLOC(postgres_quote(o->memory, name), error);
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(o->columns[i].quoted, quoted) == 0)
            return KITH_OK;
    o->columns[o->count] = (order_column){.quoted = quoted,
                                          .type = PQgetvalue(columns, row, 1),
                                          .collation = PQgetvalue(columns, row, 2),
                                          .comparable = PQgetvalue(columns, row, 3)[0] == 't',
                                          .never_null = PQgetvalue(columns, row, 4)[0] == 't'};
    o->row = TRY_ALLOC(
        arena_printf(o->memory, "%s%s%s", o->row, o->count == 0 ? "ROW(" : ", ", quoted), error);
    o->count++;
    return KITH_OK;
}

/* *found: all columns of the order are columns of the table. */
static kith_status find_order(bool *found, row_order *o, kith_error *error)
{
    const postgres_reading *r = o->r;
    const size_t n_order = r->db->n_order, all = n_order + r->count;
    PGresult *columns = NULL;
    *found = true;
    o->row = "";
    o->columns = TRY_ZEROS(o->columns, o->memory, all, error);
    /* Name, type, collation, and so on, of all columns. */
    const char *table = TRY_ALLOC(postgres_literal(o->r->db, o->memory, o->r->db->quoted), error);
    TRY(postgres_query(
        o->r->db, o->memory,
        arena_printf(o->memory,
                     "SELECT attname, format_type(atttypid, atttypmod), (SELECT ' COLLATE ' || "
                     "quote_ident(nspname) || '.' || quote_ident(collname) FROM pg_collation c "
                     "JOIN pg_namespace n ON n.oid = collnamespace WHERE c.oid = attcollation), "
                     "atttypid IN ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, "
                     "'oid'::regtype, 'numeric'::regtype, 'float4'::regtype, 'float8'::regtype, "
                     "'text'::regtype, 'varchar'::regtype, 'bpchar'::regtype, 'date'::regtype, "
                     "'timestamp'::regtype, 'timestamptz'::regtype, 'uuid'::regtype), attnotnull "
                     "FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT "
                     "attisdropped",
                     table),
        PGRES_TUPLES_OK, "read", &columns, error));
    for (size_t i = 0; i < all && *found; i++)
        TRY(postgres_parts_add_column(
            found, o, columns, i < n_order ? r->db->order[i] : r->specs[i - n_order].name, error));
    o->row = TRY_ALLOC(arena_printf(o->memory, "%s)", o->row), error);
    return KITH_OK;
}

/* A value of row `row` of the sample. */
static const char *literal(const row_order *o, const PGresult *sample, int row, size_t which)
{
    const order_column *c = &o->columns[which];
    if (PQgetisnull(sample, row, (int)which))
        return arena_printf(o->memory, "CAST(NULL AS %s)%s", c->type, c->collation);
    const char *text = postgres_literal(o->r->db, o->memory, PQgetvalue(sample, row, (int)which));
    return text == NULL ? NULL
                        : arena_printf(o->memory, "CAST(%s AS %s)%s", text, c->type, c->collation);
}

/* Rows that come behind row `row` of the sample (">"), or do not ("<="). Rows are compared by a
 * function, because the operators of SQL do not know where a NULL comes. The first column alone is
 * compared once more, which an index understands. */
static const char *postgres_parts_compare(const row_order *o, const PGresult *sample, int row,
                                          bool behind)
{
    const order_column *first = &o->columns[0];
    const char *values = "", *simple = "";
    for (size_t i = 0; i < o->count && values != NULL; i++) {
        const char *value = literal(o, sample, row, i);
        values = value == NULL
                     ? NULL
                     : arena_printf(o->memory, "%s%s%s", values, i == 0 ? "" : ", ", value);
        if (i == 0 && values != NULL && first->comparable && !PQgetisnull(sample, row, 0) &&
            (first->never_null || !behind))
            simple = arena_printf(o->memory, " AND %s OPERATOR(pg_catalog.%s) %s", first->quoted,
                                  behind ? ">=" : "<=", value);
    }
    return values == NULL || simple == NULL
               ? NULL
               : arena_printf(o->memory, "pg_catalog.%s(%s, ROW(%s))%s",
                              behind ? "record_gt" : "record_le", o->row, values, simple);
}

/* The rows of the sample at which parts end, one for each part but the last; there may be fewer. */
static kith_status take_sample(PGresult **sample, const row_order *o, uint64_t n_rows,
                               uint32_t n_parts, kith_error *error)
{
    const postgres *db = o->r->db;
    const double wanted = (double)SAMPLE_OF_PART * n_parts;
    const char *list = "", *some = "";
    for (size_t i = 0; i < o->count; i++)
        list = TRY_ALLOC(arena_printf(o->memory, "%s%s AS v%zu, ", list, o->columns[i].quoted, i),
                         error);
    if ((double)n_rows > wanted)
        some = TRY_ALLOC(
            arena_printf(o->memory, " WHERE random() < %.17g", wanted / (double)n_rows), error);
    const char *order =
        TRY_ALLOC(postgres_order_by(db, o->memory, o->r->specs, o->r->count), error);
    return postgres_query(
        db, o->memory,
        arena_printf(o->memory,
                     "SELECT * FROM (SELECT %srow_number() OVER (%s) AS i, count(*) OVER () AS n "
                     "FROM %s%s) s WHERE i * %u / n > (i - 1) * %u / n AND i < n ORDER BY i",
                     list, order, db->quoted, some, n_parts, n_parts),
        PGRES_TUPLES_OK, "read", sample, error);
}

kith_status postgres_parts_cut(postgres_part **parts, uint64_t *n_rows, const postgres_reading *r,
                               uint32_t n_parts, kith_error *error)
{
    row_order o = {.r = r, .memory = r->s->scratch};
    PGresult *sample = NULL;
    bool found = false;
    postgres_part *cut = TRY_ARRAY(cut, o.memory, n_parts, error);
    *parts = NULL;
    *n_rows = POSTGRES_UNCOUNTED;
    if (r->db->n_order > 0)
        TRY(find_order(&found, &o, error));
    if (r->by_pages) {
        TRY(whole_pages(cut, r, n_parts, error));
    } else if (found) {
        const char *count = arena_printf(o.memory, "SELECT count(*) FROM %s", r->db->quoted);
        TRY(postgres_numbers(n_rows, 1, r->db, count, error));
        TRY(take_sample(&sample, &o, *n_rows, n_parts, error));
        const uint32_t n_ends = (uint32_t)PQntuples(sample);
        const char *behind = "true", *upto = "true";
        for (uint32_t i = 0; i < n_parts; i++) {
            cut[i].before =
                i == 0 ? "" : TRY_ALLOC(arena_printf(o.memory, " WHERE %s", upto), error);
            upto = i < n_ends ? TRY_ALLOC(postgres_parts_compare(&o, sample, (int)i, false), error)
                              : "true";
            if (i > n_ends)
                behind = "false";
            cut[i].where =
                TRY_ALLOC(arena_printf(o.memory, " WHERE %s AND %s", behind, upto), error);
            if (i < n_ends)
                behind = TRY_ALLOC(postgres_parts_compare(&o, sample, (int)i, true), error);
        }
    }
    *parts = r->by_pages || found ? cut : NULL;
    return KITH_OK;
}
