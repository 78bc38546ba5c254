#include <string.h>

#include "core/error.h"
#include "table/postgres.h"
#include "table/postgres_source.h"
#include "table/postgres_wait.h"
#include "table/source.h"

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

kith_status postgres_source_names(const postgres *db, arena *memory, const char ***names,
                                  size_t *width, PGresult **described, kith_error *error)
{
    const char *sql = arena_printf(memory, "SELECT * FROM %s LIMIT 0", db->quoted);
    TRY(postgres_query(db, memory, sql, PGRES_TUPLES_OK, "read", described, error));
    *width = (size_t)PQnfields(*described);
    *names = arena_array(memory, *width, sizeof **names);
    TRY_ALLOC(*names, error);
    for (size_t i = 0; i < *width; i++)
        (*names)[i] = PQfname(*described, (int)i);
    return KITH_OK;
}

static kith_status copy_rows(const source *s, const postgres *db, table_builder *b, size_t count,
                             kith_error *error)
{
    csv c;
    copy_feed *f = TRY_ALLOC(arena_zalloc(s->scratch, 1, sizeof *f), error);
    uint32_t *all = TRY_ALLOC(arena_array(s->scratch, count, sizeof *all), error);
    f->db = db;
    if (!arena_defer(s->scratch, free_row, f))
        return error_nomem(error);
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    byte_feed rows = {.read = copy_read, .done = copy_done, .user = f};
    TRY(csv_open(&c, s->scratch, rows, s->name, ',', false, false, error));
    c.numbered = true;
    c.n_records = s->rows == NULL ? 0 : s->rows->first;
    const csv_header every = {.width = count, .pick = all, .count = count};
    TRY(csv_source_rows(s, &c, b, &every, true, error));
    return source_progress(s, 1, error);
}

kith_status postgres_source_select(const source *s, const postgres *db, const char *select,
                                   table_builder *b, size_t count, kith_error *error)
{
    const char *sql =
        TRY_ALLOC(arena_printf(s->scratch, "COPY (%s) TO STDOUT (FORMAT csv)", select), error);
    TRY(postgres_run(db, sql, PGRES_COPY_OUT, "read", error));
    return copy_rows(s, db, b, count, error);
}
