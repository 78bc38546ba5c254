#include "table/postgres_copy.h"

#include <stdint.h>
#include <string.h>

#include "core/error.h"
#include "table/postgres_wait.h"

enum { SEND_BYTES = 1 << 16 };

/* In parts, because libpq takes lengths as int. */
static kith_status send(postgres_copy *s, kith_error *error)
{
    size_t at = 0;
    bool sent = false;
    while (at < s->used) {
        size_t part = s->used - at < 1u << 30 ? s->used - at : 1u << 30;
        if (PQputCopyData(s->db->connection, s->buffer + at, (int)part) != 1)
            return postgres_failed(s->db, NULL, "write", error);
        TRY(postgres_wait_send(s->db, &sent, error));
        if (!sent)
            return postgres_failed(s->db, NULL, "write", error);
        at += part;
    }
    s->used = 0;
    return KITH_OK;
}

static kith_status reserve(postgres_copy *s, size_t more, kith_error *error)
{
    size_t need;
    if (__builtin_add_overflow(s->used, more, &need) || need > SIZE_MAX / 2)
        return error_nomem(error);
    if (need <= s->room)
        return KITH_OK;
    char *wider = TRY_ALLOC(arena_resize(s->memory, s->buffer, s->room, need * 2), error);
    s->buffer = wider;
    s->room = need * 2;
    return KITH_OK;
}

/* The letter that stands for a character behind a backslash, or 0. */
static char escape(char c)
{
    return c == '\\' ? '\\' : c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : 0;
}

/* The text format of COPY: \N is NULL, backslash escapes the rest. */
static kith_status put_cell(postgres_copy *s, const char *text, char after, kith_error *error)
{
    size_t length = text == NULL ? 0 : strlen(text);
    TRY(reserve(s, 2 * length + 3, error));
    char *to = s->buffer + s->used;
    if (text == NULL) {
        *to++ = '\\';
        *to++ = 'N';
    }
    for (size_t i = 0; i < length; i++) {
        char letter = escape(text[i]);
        if (letter != 0)
            *to++ = '\\';
        *to++ = letter != 0 ? letter : text[i];
    }
    *to++ = after;
    s->used = (size_t)(to - s->buffer);
    return KITH_OK;
}

kith_status postgres_copy_begin(postgres_copy *c, const postgres *db, arena *memory,
                                const char *quoted, size_t n_columns, kith_error *error)
{
    *c = (postgres_copy){
        .memory = memory, .db = db, .n_columns = n_columns, .buffer = c->buffer, .room = c->room};
    return postgres_run(db, arena_printf(memory, "COPY %s FROM STDIN", quoted), PGRES_COPY_IN,
                        "write", error);
}

kith_status postgres_copy_row(postgres_copy *c, const char *const *cells, kith_error *error)
{
    for (size_t i = 0; i < c->n_columns; i++)
        TRY(put_cell(c, cells[i], i + 1 < c->n_columns ? '\t' : '\n', error));
    return c->used < SEND_BYTES ? KITH_OK : send(c, error);
}

kith_status postgres_copy_end(postgres_copy *c, kith_error *error)
{
    TRY(send(c, error));
    PGresult *r = NULL;
    bool sent = PQputCopyEnd(c->db->connection, NULL) == 1;
    if (sent)
        TRY(postgres_wait_send(c->db, &sent, error));
    if (!sent)
        return postgres_failed(c->db, NULL, "write", error);
    kith_status status = KITH_OK, asked = KITH_OK;
    while ((asked = postgres_wait_result(c->db, &r, error)) == KITH_OK && r != NULL) {
        if (status == KITH_OK && PQresultStatus(r) != PGRES_COMMAND_OK)
            status = postgres_failed(c->db, r, "write", error);
        PQclear(r);
    }
    return asked == KITH_OK ? status : asked;
}
