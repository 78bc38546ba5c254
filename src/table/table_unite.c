#include "table/table_unite.h"

#include <string.h>

#include "core/bytes.h"
#include "core/run/ranks.h"
#include "core/error.h"
#include "table/dictionary_sort.h"

/* The order of dictionaries, as table.h says it. */
static int table_unite_compare(dictionary_value a, dictionary_value b)
{
    const uint32_t la = dictionary_length(a.from, a.code), lb = dictionary_length(b.from, b.code);
    const char *ta = dictionary_text(a.from, a.code), *tb = dictionary_text(b.from, b.code);
    uint64_t ka = 0, kb = 0;
    if (a.from->whole != NULL) {
        ka = dictionary_sort_key_whole(a.from->whole[a.code]);
        kb = dictionary_sort_key_whole(b.from->whole[b.code]);
    } else if (a.from->decimal != NULL) {
        ka = dictionary_sort_key_decimal(a.from->decimal[a.code]);
        kb = dictionary_sort_key_decimal(b.from->decimal[b.code]);
    }
    if (ka != kb)
        return ka < kb ? -1 : 1;
    const bool typed = a.from->whole != NULL || a.from->decimal != NULL;
    if (typed && la != lb)
        return la < lb ? -1 : 1;
    const int order = memcmp(ta, tb, la < lb ? la : lb);
    return order != 0 ? order : (la > lb) - (la < lb);
}

/* The dictionary of another rank; its numbers are of the same kind as those of `own`. */
static dictionary unpack(const ranks_bytes *in, const dictionary *own)
{
    dictionary d = *own;
    const uint64_t *words = in->bytes;
    d.count = (uint32_t)words[0];
    d.offsets = words + 2;
    words = d.offsets + d.count + 1;
    if (own->whole != NULL)
        d.whole = (const int64_t *)words;
    if (own->decimal != NULL)
        d.decimal = (const double *)(const void *)words;
    d.bytes = (const char *)(own->whole == NULL && own->decimal == NULL ? words : words + d.count);
    return d;
}

typedef struct merged {
    dictionary_value *values;
    size_t count;
} merged;

/* Adds the values of a dictionary to those that are there, both ascending. */
static kith_status merge(merged *m, const dictionary *d, arena *memory, kith_error *error)
{
    dictionary_value *to = TRY_ARRAY(to, memory, m->count + d->count, error);
    size_t i = 0, n = 0;
    for (uint32_t code = 0; code < d->count; code++) {
        const dictionary_value next = {d, code};
        int order = 1;
        while (i < m->count && (order = table_unite_compare(m->values[i], next)) < 0)
            to[n++] = m->values[i++];
        i += i < m->count && order == 0;
        to[n++] = next;
    }
    for (; i < m->count; i++)
        to[n++] = m->values[i];
    arena_release(memory, m->values, m->count * sizeof *m->values);
    *m = (merged){to, n};
    return n < UINT32_MAX ? KITH_OK : error_set(error, KITH_DATA, "more than 4 billion values");
}

/* *mine goes to the rank that is `step` ranks further, and what the one `step` ranks before has is
 * added to it. */
static kith_status unite_step(dictionary *mine, uint32_t step, arena *memory, arena *scratch,
                              context *c, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks), rank = ranks_self(c->ranks);
    ranks_bytes *out = TRY_ZEROS(out, scratch, n_ranks, error);
    ranks_bytes *in = TRY_ZEROS(in, scratch, n_ranks, error);
    merged m = {NULL, 0};
    /* What is sent of a dictionary: how many values and bytes of text, offsets, numbers of the
     * values, texts. All but the texts have eight bytes each, so that they can be used where they
     * lie. */
    const uint64_t head[] = {mine->count, mine->offsets[mine->count]};
    bytes_writer w = {.memory = scratch};
    bytes_write(&w, head, sizeof head);
    bytes_write(&w, mine->offsets, (mine->count + (size_t)1) * sizeof *mine->offsets);
    if (mine->whole != NULL || mine->decimal != NULL)
        bytes_write(&w, mine->whole != NULL ? (const void *)mine->whole : mine->decimal,
                    mine->count * sizeof(uint64_t));
    bytes_write(&w, mine->bytes, head[1]);
    out[(rank + step) % n_ranks] = (ranks_bytes){w.bytes, w.length};
    TRY(bytes_written(&w, error));
    TRY(ranks_exchange(c->ranks, out, in, scratch, error));
    const dictionary theirs = unpack(&in[(rank + n_ranks - step) % n_ranks], mine), own = *mine;
    TRY(merge(&m, &own, scratch, error));
    TRY(merge(&m, &theirs, scratch, error));
    return dictionary_of(mine, &own, m.values, (uint32_t)m.count, memory, error);
}

/* After every step a rank knows the values of twice as many ranks. Where their number is no power
 * of two, some come twice, which does no harm. */
static kith_status unite_column(column *to, const column *own, uint32_t n_rows, arena *memory,
                                context *c, kith_error *error)
{
    const uint32_t n_ranks = ranks_count(c->ranks);
    *to = *own;
    if (n_ranks == 1)
        return KITH_OK;
    for (uint64_t step = 1; step < n_ranks; step *= 2) {
        arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(memory), error);
        TRY(unite_step(&to->values, (uint32_t)step, 2 * step < n_ranks ? memory : c->memory,
                       scratch, c, error));
    }
    /* This rank's codes, in terms of the united dictionary `all`. In their place: rows are many. */
    uint32_t *new_code = TRY_ARRAY(new_code, c->memory, own->values.count + (size_t)1, error);
    uint32_t at = 0;
    for (uint32_t code = 0; code < own->values.count; code++) {
        while (table_unite_compare((dictionary_value){&to->values, at},
                                   (dictionary_value){&own->values, code}) != 0)
            at++;
        new_code[code] = at;
    }
    for (uint32_t row = 0; row < n_rows; row++)
        if (own->codes[row] != TABLE_MISSING)
            own->codes[row] = new_code[own->codes[row]];
    return KITH_OK;
}

kith_status table_unite(const kith_table **united, const kith_table *own, const bool *needed,
                        context *c, kith_error *error)
{
    kith_table *t;
    TRY(table_copy(&t, own, c->memory, error));
    for (uint32_t i = 0; i < own->n_columns; i++) {
        if (needed != NULL && !needed[i])
            continue;
        arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(c->memory), error);
        TRY(unite_column(&t->columns[i], &own->columns[i], own->n_rows, scratch, c, error));
    }
    CHECK(table_check(t));
    *united = t;
    return KITH_OK;
}
