#include "table/database/postgres_source.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "table/database/postgres_wait.h"

/* COPY … TO STDOUT as CSV, row by row, into the CSV reader. Invariant: `row` is what libpq handed
 * out last, of which the bytes from `at` to `length` have not been taken. */
typedef struct copy_feed {
    const postgres *db;
    char *row;
    size_t at, length;
    bool ended;
} copy_feed;

static void free_row(void *object)
{
    copy_feed *f = object;
    PQfreemem(f->row);
}

/* -1 is the end and -2 an error; the final result tells whether the server finished the copy. */
static kith_status next_row(copy_feed *f, kith_error *error)
{
    PQfreemem(f->row);
    f->row = NULL;
    int length = 0;
    TRY(postgres_wait_row(f->db, &f->row, &length, error));
    f->at = 0;
    f->length = length > 0 ? (size_t)length : 0;
    if (length > 0)
        return KITH_OK;
    f->ended = true;
    if (length == -2)
        return postgres_failed(f->db, NULL, "read", error);
    PGresult *result = NULL;
    kith_status status = postgres_wait_result(f->db, &result, error);
    if (status == KITH_OK && PQresultStatus(result) != PGRES_COMMAND_OK)
        status = postgres_failed(f->db, result, "read", error);
    PQclear(result);
    return status;
}

static kith_status copy_read(void *user, char *buffer, size_t size, size_t *got, kith_error *error)
{
    copy_feed *f = user;
    *got = 0;
    if (f->at == f->length && !f->ended)
        TRY(next_row(f, error));
    *got = f->length - f->at < size ? f->length - f->at : size;
    if (*got > 0)
        memcpy(buffer, f->row + f->at, *got);
    f->at += *got;
    return KITH_OK;
}

/* The number of rows is not known beforehand. */
static double copy_done(void *user)
{
    (void)user;
    return -1;
}

/* Only the wanted columns are sent. Unless an order is asked for it is the server's; rows
 * that agree in its columns are then ordered by the others, so that it is the same every time. */
static const char *copy_statement(const postgres_reading *r, const char *where)
{
    arena *memory = r->s->scratch;
    const char *list = "", *order = "";
    for (size_t i = 0; i < r->count && list != NULL; i++) {
        const char *name = postgres_quote(memory, r->specs[i].name);
        list = name == NULL ? NULL : arena_printf(memory, "%s%s%s", list, i == 0 ? "" : ", ", name);
    }
    if (list == NULL || (r->db->n_order > 0 &&
                         (order = postgres_order_by(r->db, memory, r->specs, r->count)) == NULL))
        return NULL;
    return arena_printf(memory, "COPY (SELECT %s FROM %s%s%s) TO STDOUT (FORMAT csv)", list,
                        r->db->quoted, where, order);
}

/* Begins the transaction. What the server refuses has ended it. */
static kith_status postgres_source_begin(postgres_reading *r, postgres_view view, kith_error *error)
{
    arena *memory = r->s->scratch;
    kith_error why;
    TRY(postgres_run(r->db, postgres_snapshot, PGRES_COMMAND_OK, "read", error));
    if (view == POSTGRES_ANOTHER) {
        const char *id = TRY_ALLOC(postgres_literal(r->db, memory, r->snapshot), error);
        const char *sql = TRY_ALLOC(arena_printf(memory, "SET TRANSACTION SNAPSHOT %s", id), error);
        const kith_status status = postgres_run(r->db, sql, PGRES_COMMAND_OK, "read", error);
        if (status == KITH_CANCELLED)
            return status;
        r->refused = status != KITH_OK;
        if (r->refused)
            return PQstatus(r->db->connection) == CONNECTION_OK ? KITH_OK : status;
        /* A client that waits for an exclusive lock waits for the other readers, which wait for
         * this one. */
        return postgres_run(r->db, "SET LOCAL lock_timeout TO '30s'", PGRES_COMMAND_OK, "read",
                            error);
    }
    PGresult *id = NULL;
    r->snapshot = NULL;
    if (view == POSTGRES_OWN)
        return KITH_OK;
    const kith_status exported = postgres_query(r->db, memory, "SELECT pg_export_snapshot()",
                                                PGRES_TUPLES_OK, "read", &id, &why);
    if (exported == KITH_OK)
        r->snapshot = PQgetvalue(id, 0, 0);
    if (exported == KITH_CANCELLED)
        return error_set(error, exported, "%s", why.message);
    if (exported == KITH_OK)
        return KITH_OK;
    TRY(postgres_run(r->db, "ROLLBACK", PGRES_COMMAND_OK, "read", error));
    return postgres_run(r->db, postgres_snapshot, PGRES_COMMAND_OK, "read", error);
}

/* Without an order that is asked for, the rows of a plain table come as they are stored: no index,
 * no other process and no other reader of the table changes that. */
static kith_status keep_stored_order(postgres_reading *r, kith_error *error)
{
    arena *memory = r->s->scratch;
    PGresult *pages = NULL;
    if (r->db->n_order > 0)
        return KITH_OK;
    const char *table = TRY_ALLOC(postgres_literal(r->db, memory, r->db->quoted), error);
    TRY(postgres_query(r->db, memory,
                       arena_printf(memory,
                                    "SELECT pg_relation_size(c.oid) / "
                                    "current_setting('block_size')::bigint FROM pg_class c LEFT "
                                    "JOIN pg_am m ON m.oid = relam WHERE c.oid = %s::regclass AND "
                                    "relkind IN ('r', 'm') AND NOT relhassubclass AND "
                                    "coalesce(amname, 'heap') = 'heap'",
                                    table),
                       PGRES_TUPLES_OK, "read", &pages, error));
    if (PQntuples(pages) == 0)
        return KITH_OK;
    r->by_pages = true;
    r->n_pages = strtoull(PQgetvalue(pages, 0, 0), NULL, 10);
    return postgres_run(r->db,
                        "SET LOCAL synchronize_seqscans TO off; SET LOCAL enable_indexscan TO off; "
                        "SET LOCAL enable_indexonlyscan TO off; SET LOCAL enable_bitmapscan TO "
                        "off; SET LOCAL max_parallel_workers_per_gather TO 0",
                        PGRES_COMMAND_OK, "read", error);
}

kith_status postgres_reading_open(postgres_reading *r, const source *s, postgres_view view,
                                  kith_error *error)
{
    /* Column names and rows are read by two statements; in one snapshot they belong together. */
    PGresult *described = NULL;
    *r = (postgres_reading){.s = s, .snapshot = r->snapshot};
    TRY(postgres_open(&r->db, s->scratch, s->uri, s->run, "load", error));
    TRY(postgres_source_begin(r, view, error));
    if (r->refused)
        return KITH_OK;
    const char *sql = arena_printf(s->scratch, "SELECT * FROM %s LIMIT 0", r->db->quoted);
    TRY(postgres_query(r->db, s->scratch, sql, PGRES_TUPLES_OK, "read", &described, error));
    const int width = PQnfields(described);
    const char **names = TRY_ARRAY(names, s->scratch, (size_t)width, error);
    for (int i = 0; i < width; i++)
        names[i] = PQfname(described, i);
    TRY(source_pick(s, names, (size_t)width, &r->specs, &r->pick, &r->count, error));
    if (r->count == 0)
        return error_set(error, KITH_DATA, "%s: a table without columns", s->name);
    return keep_stored_order(r, error);
}

static kith_status read_part(const postgres_reading *r, const source *s, const postgres_part *part,
                             kith_table **table, kith_error *error)
{
    table_builder *b;
    TRY(table_builder_new(&b, s->memory, s->name, r->specs, r->count, s->options, error));
    TRY(postgres_run(r->db, copy_statement(r, part->where), PGRES_COPY_OUT, "read", error));
    csv c;
    copy_feed *f = TRY_ZEROS(f, s->scratch, 1, error);
    uint32_t *all = TRY_ARRAY(all, s->scratch, r->count, error);
    f->db = r->db;
    TRY_ALLOC(arena_defer(s->scratch, free_row, f), error);
    for (uint32_t i = 0; i < r->count; i++)
        all[i] = i;
    byte_feed rows = {.read = copy_read, .done = copy_done, .user = f};
    TRY(csv_open(&c, s->scratch, rows, s->name, ',', false, false, error));
    c.numbered = true;
    c.n_records = s->rows == NULL ? 0 : s->rows->first;
    const csv_header every = {.width = r->count, .pick = all, .count = r->count};
    TRY(csv_source_rows(s, &c, b, &every, true, error));
    TRY(source_progress(s, 1, error));
    return source_finish(s, b, r->pick, table, error);
}

kith_status postgres_reading_rows(const postgres_reading *r, const postgres_part *part,
                                  kith_table **table, kith_error *error)
{
    const kith_status status = read_part(r, r->s, part, table, error);
    if (status != KITH_DATA || part->before[0] == '\0')
        return status;
    /* Only now the rows before the part are counted: they are read again until the message. */
    kith_error other;
    source_rows rows = {0};
    source numbered = *r->s;
    const char *sql = TRY_ALLOC(
        arena_printf(r->s->scratch, "SELECT count(*) FROM %s%s", r->db->quoted, part->before),
        error);
    if (postgres_numbers(&rows.first, 1, r->db, sql, &other) != KITH_OK)
        return status;
    numbered.rows = &rows;
    return read_part(r, &numbered, part, table, error);
}

kith_status postgres_source_read(const source *s, kith_table **table, kith_error *error)
{
    static const postgres_part all = {.where = "", .before = ""};
    postgres_reading r = {0};
    TRY(postgres_reading_open(&r, s, POSTGRES_OWN, error));
    return postgres_reading_rows(&r, &all, table, error);
}
