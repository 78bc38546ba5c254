#include "job/exposure/guess.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/rng.h"
#include "job/exposure/assignment.h"
#include "job/exposure/guess_internal.h"

enum { ROUNDS = 2 };

/* --- codes and names by frequency --- */

typedef struct ranked {
    uint32_t count, label;
    uint64_t tie;
} ranked;

static int more_frequent_first(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return (x->tie > y->tie) - (x->tie < y->tie);
}

static kith_status make_side(guess_side *s, const uint32_t *labels, uint32_t n_rows,
                             uint32_t n_labels, rng *coins, arena *memory, kith_error *error)
{
    ranked *all = TRY_ARRAY(all, memory, n_labels, error);
    uint32_t *item_of = TRY_ARRAY(item_of, memory, n_labels, error);
    /* The labels that occur, by frequency. */
    for (uint32_t i = 0; i < n_labels; i++)
        all[i] = (ranked){.label = i, .tie = rng_next(coins)};
    for (uint32_t i = 0; i < n_rows; i++)
        all[labels[i]].count++;
    qsort(all, n_labels, sizeof *all, more_frequent_first);
    s->n_items = 0;
    while (s->n_items < n_labels && all[s->n_items].count > 0)
        s->n_items++;
    s->n_matched = s->n_items < GUESS_MAX ? s->n_items : GUESS_MAX;
    s->item_of_row = TRY_ARRAY(s->item_of_row, memory, n_rows, error);
    s->rows = TRY_ARRAY(s->rows, memory, n_rows, error);
    s->count = TRY_ARRAY(s->count, memory, s->n_items, error);
    s->label = TRY_ARRAY(s->label, memory, s->n_items, error);
    s->start = TRY_ZEROS(s->start, memory, (size_t)s->n_items + 2, error);
    for (uint32_t i = 0; i < s->n_items; i++) {
        s->count[i] = all[i].count;
        s->label[i] = all[i].label;
        s->start[i + 2] = s->start[i + 1] + all[i].count;
        item_of[all[i].label] = i;
    }
    for (uint32_t i = 0; i < n_rows; i++) {
        s->item_of_row[i] = item_of[labels[i]];
        s->rows[s->start[s->item_of_row[i] + 1]++] = i; /* leaves start[] as it must be */
    }
    arena_release(memory, all, n_labels * sizeof *all);
    arena_release(memory, item_of, n_labels * sizeof *item_of);
    return KITH_OK;
}

/* Both sides of all columns; as a first guess every code has the name of its rank. */
static kith_status make_suspects(guess_suspect **out, const guess_tables *t, context *c,
                                 arena *memory, kith_error *error)
{
    guess_suspect *all = TRY_ZEROS(all, memory, t->n_columns, error);
    for (uint32_t j = 0; j < t->n_columns; j++) {
        guess_suspect *s = &all[j];
        const guess_column *from = &t->columns[j];
        rng coins;
        rng_init(&coins, c->seed, j);
        s->source = from;
        TRY(make_side(&s->codes, from->view, t->n_view, from->n_labels, &coins, memory, error));
        TRY(make_side(&s->names, from->known, t->n_known, from->n_labels, &coins, memory, error));
        s->name_of = TRY_ARRAY(s->name_of, memory, s->codes.n_items, error);
        for (uint32_t x = 0; x < s->codes.n_items; x++)
            s->name_of[x] = x < s->names.n_items ? x : GUESS_NONE;
    }
    *out = all;
    return KITH_OK;
}

/* --- co-occurrence --- */

/* More codes than names: the names choose, and codes that none has chosen get the likeliest. */
static kith_status let_names_choose(guess_suspect *s, const double *cost, arena *scratch,
                                    kith_error *error)
{
    const uint32_t n_codes = s->codes.n_matched, n_names = s->names.n_matched;
    double *turned = TRY_ALLOC(arena_array(scratch, n_names, n_codes * sizeof *turned), error);
    uint32_t *code_of = TRY_ARRAY(code_of, scratch, n_names, error);
    for (uint32_t x = 0; x < n_codes; x++) {
        uint32_t best = 0;
        for (uint32_t y = 0; y < n_names; y++) {
            turned[(size_t)y * n_codes + x] = cost[(size_t)x * n_names + y];
            if (cost[(size_t)x * n_names + y] < cost[(size_t)x * n_names + best])
                best = y;
        }
        s->name_of[x] = best;
    }
    TRY(assignment_solve(code_of, turned, n_names, n_codes, scratch, error));
    for (uint32_t y = 0; y < n_names; y++)
        s->name_of[code_of[y]] = y;
    return KITH_OK;
}

static kith_status name_all(guess_suspect *all, const guess_tables *t, arena *memory, context *c,
                            kith_error *error)
{
    uint32_t *order = TRY_ARRAY(order, memory, t->n_columns, error);
    uint32_t *shuffled = TRY_ARRAY(shuffled, memory, t->n_known, error);
    const double steps = (ROUNDS + 1.0) * t->n_columns;
    rng coins;
    rng_init(&coins, c->seed, t->n_columns);
    for (uint32_t i = 0; i < t->n_known; i++)
        shuffled[i] = i;
    rng_shuffle(&coins, shuffled, t->n_known);
    /* Columns by their numbers of codes, the fewest first. */
    for (uint32_t i = 0; i < t->n_columns; i++) {
        uint32_t at = i;
        for (; at > 0 && all[order[at - 1]].codes.n_items > all[i].codes.n_items; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    for (uint32_t round = 0; round <= ROUNDS; round++)
        for (uint32_t i = 0; i < t->n_columns; i++) {
            arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
            const uint32_t self = order[i];
            guess_suspect *s = &all[self];
            const uint32_t n_codes = s->codes.n_matched, n_names = s->names.n_matched;
            if (n_codes != 0 && n_names != 0) {
                double *cost =
                    TRY_ALLOC(arena_array(scratch, n_codes, n_names * sizeof *cost), error);
                TRY(guess_cost(cost, all, self, t, shuffled, scratch, c, error));
                s->solved = true;
                TRY(n_codes <= n_names
                        ? assignment_solve(s->name_of, cost, n_codes, n_names, scratch, error)
                        : let_names_choose(s, cost, scratch, error));
            }
            if (!context_progress(c, "exposure", (round * t->n_columns + i + 1) / steps))
                return error_set(error, KITH_CANCELLED, "stopped while guessing");
        }
    return KITH_OK;
}

/* --- both --- */

static kith_status guess_run(double *share, const guess_tables *t, bool cooccurrence, context *c,
                             kith_error *error)
{
    guess_suspect *all = NULL;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    TRY(make_suspects(&all, t, c, memory, error));
    if (cooccurrence)
        TRY(name_all(all, t, memory, c, error));
    for (uint32_t j = 0; j < t->n_columns; j++) {
        uint64_t right = 0;
        for (uint32_t x = 0; x < all[j].codes.n_items; x++)
            if (all[j].name_of[x] != GUESS_NONE &&
                all[j].names.label[all[j].name_of[x]] == all[j].codes.label[x])
                right += all[j].codes.count[x];
        share[j] = t->n_view == 0 ? 0 : (double)right / t->n_view;
    }
    return KITH_OK;
}

kith_status guess_by_frequency(double *share, const guess_tables *t, context *c, kith_error *error)
{
    return guess_run(share, t, false, c, error);
}

kith_status guess_by_cooccurrence(double *share, const guess_tables *t, context *c,
                                  kith_error *error)
{
    return guess_run(share, t, true, c, error);
}
