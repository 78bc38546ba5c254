#include "job/slice/slice_postgres.h"

#include <string.h>

#include "core/bytes.h"
#include "core/run/context.h"
#include "core/run/ranks.h"
#include "core/error.h"
#include "job/slice/slice_alone.h"
#include "table/database/postgres_source.h"

/* What rank 0 has found out for all. */
typedef struct plan {
    postgres_part own;
    const char *snapshot;
    uint64_t n_rows; /* POSTGRES_UNCOUNTED: not known */
    bool cut;        /* else rank 0 reads all */
} plan;

static const char *take_text(const char **at)
{
    const char *text = *at;
    *at += strlen(text) + 1;
    return text;
}

/* Rank 0 cuts the table and sends each rank its part. */
static kith_status distribute_parts(plan *p, postgres_reading *r, context *c, kith_error *error)
{
    arena *memory = r->s->scratch;
    const uint32_t size = ranks_count(c->ranks);
    ranks_bytes *out = TRY_ALLOC(arena_zalloc(memory, size, sizeof *out), error);
    ranks_bytes *in = TRY_ALLOC(arena_zalloc(memory, size, sizeof *in), error);
    postgres_part *parts = NULL;
    if (ranks_self(c->ranks) == 0 && r->snapshot != NULL)
        TRY(postgres_parts_cut(&parts, &p->n_rows, r, size, error));
    for (uint32_t i = 0; parts != NULL && i < size; i++) {
        bytes_writer w = {.memory = memory};
        bytes_write(&w, r->snapshot, strlen(r->snapshot) + 1);
        bytes_write(&w, parts[i].where, strlen(parts[i].where) + 1);
        bytes_write(&w, parts[i].before, strlen(parts[i].before) + 1);
        TRY(bytes_written(&w, error));
        out[i] = (ranks_bytes){w.bytes, w.length};
    }
    TRY(ranks_exchange(c->ranks, out, in, memory, error));
    p->cut = in[0].n_bytes > 0;
    if (!p->cut)
        return KITH_OK;
    const char *at = in[0].bytes;
    p->snapshot = take_text(&at);
    p->own.where = take_text(&at);
    p->own.before = take_text(&at);
    return KITH_OK;
}

/* All connections must see what rank 0 sees: they may have come to different servers. */
static kith_status join_snapshot(plan *p, postgres_reading *r, const source *s, context *c,
                                 kith_error *error)
{
    uint64_t refused = 0;
    if (ranks_self(c->ranks) > 0) {
        r->snapshot = p->snapshot;
        TRY(postgres_reading_open(r, s, POSTGRES_ANOTHER, error));
        refused = r->refused;
    }
    TRY(ranks_sum(c->ranks, &refused, 1, error));
    p->cut = refused == 0;
    return KITH_OK;
}

/* Ranges that every rank asks for by itself have all rows, unless these differ each time. */
static kith_status slice_postgres_check_rows(const plan *p, const source *s, uint64_t own,
                                             context *c, kith_error *error)
{
    uint64_t sums[] = {own, ranks_self(c->ranks) == 0 ? p->n_rows : 0};
    TRY(ranks_sum(c->ranks, sums, 2, error));
    if (sums[1] == POSTGRES_UNCOUNTED || sums[0] == sums[1])
        return KITH_OK;
    error_set(error, KITH_DATA, "%s: the ranks have read %llu rows together, expected %llu",
              s->name, (unsigned long long)sums[0], (unsigned long long)sums[1]);
    return error_hint(error, KITH_DATA,
                      "its rows differ each time they are asked for, as those of a view or of "
                      "another server may; read it with one process");
}

kith_status slice_postgres_read(const source *s, void *user, kith_table **table, kith_error *error)
{
    static const postgres_part all = {.where = "", .before = ""};
    context *c = user;
    postgres_reading r = {0};
    plan p = {.n_rows = POSTGRES_UNCOUNTED};
    if (ranks_self(c->ranks) == 0)
        TRY(postgres_reading_open(&r, s, POSTGRES_GIVEN, error));
    r.s = s;
    TRY(distribute_parts(&p, &r, c, error));
    if (p.cut)
        TRY(join_snapshot(&p, &r, s, c, error));
    if (!p.cut) {
        kith_table *whole = NULL;
        if (ranks_self(c->ranks) == 0)
            TRY(postgres_reading_rows(&r, &all, &whole, error));
        return slice_alone(s, whole, c, table, error);
    }
    TRY(postgres_reading_rows(&r, &p.own, table, error));
    return slice_postgres_check_rows(&p, s, (*table)->n_rows, c, error);
}
