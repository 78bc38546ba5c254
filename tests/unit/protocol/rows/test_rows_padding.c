/* hide_sizes: can another site tell how many questions of a block are real?
 *
 * Blocks with a random number of real questions are padded, and two attacks estimate that number
 * from what another site receives: a change point in the order of the questions, and a regression
 * on what the list of clusters looks like. Guessing is to say the mean. The attacks are checked on
 * blocks that are padded in a way that does not hide anything. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/error.h"
#include "protocol/rows/rows_clustering.h"
#include "protocol/rows/rows_padding.h"
#include "protocol/rows/rows_turn.h"
#include "support/distributed.h"

enum { PARTIES = 3, BLOCK = 64, TRIALS = 120, SEEDS = 3, FEATURES = 7, SAMPLES = TRIALS * SEEDS };

static const problem_shape shape = {.n_records = 1500,
                                    .n_attributes = 5,
                                    .n_leaves = 24,
                                    .width = 3,
                                    .n_kinds = 900,
                                    .skew = 2,
                                    .k = 6};

/* One question, as it is sent. */
typedef struct asked {
    uint32_t cluster, attribute;
} asked;

/* What the attacks see of a block, and the truth. */
typedef struct sample {
    double features[FEATURES];
    double change_point; /* estimate of the first attack */
    double n_real;
} sample;

static sample padded[PARTIES][SAMPLES], appended[PARTIES][SAMPLES];
static double places[PARTIES], n_places[PARTIES]; /* of real questions in padded blocks */
static uint32_t seed;

/* --- what the attacks look at --- */

/* Runs of one cluster with ascending attributes; returns how many. */
static uint32_t find_groups(const asked *list, uint32_t count, uint32_t *start)
{
    uint32_t groups = 0;
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || list[i].cluster != list[i - 1].cluster ||
            list[i].attribute <= list[i - 1].attribute)
            start[groups++] = i;
    start[groups] = count;
    return groups;
}

static double log_likelihood(double ones, double n)
{
    return ones <= 0 || ones >= n ? 0 : ones * log(ones / n) + (n - ones) * log(1 - ones / n);
}

/* The place where groups of one question, or clusters that cost more than the mean, become most
 * suddenly more or less frequent, as the number of groups before it; `guess` where no place stands
 * out. */
static double find_change(const bool *mark, uint32_t groups, double guess, double *gain)
{
    double all = 0, before = 0, best = 8; /* less may be by chance */
    for (uint32_t i = 0; i < groups; i++)
        all += mark[i];
    for (uint32_t i = 1; i < groups; i++) {
        before += mark[i - 1];
        double found = log_likelihood(before, i) + log_likelihood(all - before, groups - i) -
                       log_likelihood(all, groups);
        if (found > best) {
            best = found;
            guess = i;
        }
    }
    *gain = best;
    return guess;
}

static void look(sample *s, const rows_state *v, const asked *list, uint32_t count, uint32_t n_real)
{
    uint32_t start[BLOCK * 8 + 1], groups = find_groups(list, count, start), distinct = 0;
    bool single[BLOCK * 8], costly[BLOCK * 8];
    double cost = 0, size = 0, squares = 0, mean = 0, gain, other;
    for (uint32_t g = 0; g < groups; g++)
        mean += (double)v->c.cost[list[start[g]].cluster] / groups;
    for (uint32_t g = 0; g < groups; g++) {
        const uint32_t cluster = list[start[g]].cluster;
        bool seen = false;
        for (uint32_t h = 0; h < g && !seen; h++)
            seen = list[start[h]].cluster == cluster;
        distinct += !seen;
        single[g] = start[g + 1] - start[g] == 1;
        costly[g] = v->c.cost[cluster] > mean;
        cost += v->c.cost[cluster];
        size += v->c.size[cluster];
        squares += (double)v->c.size[cluster] * v->c.size[cluster];
    }
    s->n_real = n_real;
    s->change_point = find_change(single, groups, -1, &gain);
    double at = find_change(costly, groups, -1, &other);
    s->change_point = s->change_point < 0 || other > gain ? at : s->change_point;
    const double features[FEATURES] = {
        1, groups, count, distinct, cost / groups / 1000, size / groups, squares / groups};
    memcpy(s->features, features, sizeof features);
}

/* --- blocks --- */

/* The padding that hides nothing: single questions at random behind the real ones. */
static uint32_t append_questions(rows_state *v, const uint32_t *record, uint32_t n_real, rng *r,
                                 asked *list)
{
    uint32_t count = 0;
    bool wanted[8];
    uint16_t *mine = arena_array(v->memory, v->rows.stride, sizeof *mine);
    for (uint32_t q = 0; q < n_real; q++) {
        (void)block_pass_wanted(&v->block_pass, record[q], wanted, v->mine->n_attributes, mine);
        for (uint32_t j = 0; j < v->mine->n_attributes; j++)
            if (wanted[j])
                list[count++] = (asked){v->c.of[record[q]], j};
    }
    for (uint32_t full = (count / BLOCK + 1) * BLOCK; count < full;) {
        uint32_t cluster = rng_below(r, v->c.used);
        if (v->c.size[cluster] > 0)
            list[count++] = (asked){cluster, rng_below(r, v->mine->n_attributes)};
    }
    return count;
}

static kith_status pad_questions(rows_state *v, const uint32_t *record, uint32_t n_real,
                                 asked *list, uint32_t *count, kith_error *error)
{
    rows_question block[BLOCK];
    uint32_t entries = n_real;
    bool wanted[8];
    for (uint32_t q = 0; q < n_real; q++) {
        v->block_pass.collected.questions[q] = record[q];
        block[q] = (rows_question){v->c.of[record[q]], q};
    }
    TRY(rows_padding_fill(v, block, &entries, error));
    *count = 0;
    uint32_t n_padding = 0;
    for (uint32_t e = 0; e < entries; e++) {
        n_padding += block[e].question == ROWS_PADDING;
        if (block[e].question != ROWS_PADDING) {
            places[party_self(v->p)] += e;
            n_places[party_self(v->p)]++;
        }
        assert_true(rows_padding_attributes(v, block[e].cluster, wanted));
        for (uint32_t j = 0; j < v->mine->n_attributes; j++)
            if (wanted[j])
                list[(*count)++] = (asked){block[e].cluster, j};
    }
    assert_int_equal(entries, BLOCK);
    assert_int_equal(n_padding, BLOCK - n_real);
    return KITH_OK;
}

/* The records of this party that need a question now, in random order. */
static uint32_t all_questions(rows_state *v, uint32_t *record, rng *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->mine->n_records; i++)
        if (block_pass_needs(&v->block_pass, i))
            record[count++] = i;
    rng_shuffle(r, record, count);
    return count;
}

/* Two passes, and then blocks that this party might send. */
static kith_status make_samples(rows_result *result, party *p, const rows_task *task,
                                kith_error *error)
{
    const uint32_t self = party_self(p);
    rows_state v = {.p = p,
                    .task = task,
                    .mine = task->mine,
                    .memory = task->context->memory,
                    .n = shape.n_records};
    rows_turn turn;
    uint32_t list[1500], record[1500], count;
    asked questions[BLOCK * 8 * 2];
    rng r;
    (void)result;
    rng_init(&r, seed, self);
    TRY(rows_state_accept_task(&v, error));
    TRY(rows_state_init(&v, error));
    TRY(rows_state_begin(&v, error));
    TRY(rows_turn_init(&turn, &v, error));
    const uint32_t n_parts = site_choices_parts(v.n, v.k, v.c.min_known);
    site_choices_distribute(&v.site_choices, v.block_pass.sites.records, v.mine->n_records, n_parts,
                            &v.rng);
    TRY(site_choices_create_clusters(&v.site_choices, n_parts, error));
    for (uint32_t i = 0; i < n_parts; i++)
        list[i] = i;
    TRY(rows_exchange_compute(&v, list, n_parts, NULL, error));
    for (int pass = 0; pass < 2; pass++) {
        clusters_compact(&v.c);
        TRY(clusters_arrange(&v.c, error));
        rows_state_forget(&v);
        for (uint32_t i = 0; i < PARTIES; i++)
            TRY(rows_turn_run(&turn, &v, i, error));
    }
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        const uint32_t needed = all_questions(&v, record, &r), at = seed * TRIALS + trial;
        const uint32_t max = needed < BLOCK ? needed : BLOCK, n_real = rng_below(&r, max + 1);
        TRY(pad_questions(&v, record, n_real, questions, &count, error));
        look(&padded[self][at], &v, questions, count, n_real);
        count = append_questions(&v, record, n_real, &r, questions);
        look(&appended[self][at], &v, questions, count, n_real);
    }
    return KITH_OK;
}

/* --- the attacks --- */

static double error_of_guess(const sample *s)
{
    double mean = 0, error = 0;
    for (uint32_t i = 0; i < SAMPLES; i++)
        mean += s[i].n_real / SAMPLES;
    for (uint32_t i = 0; i < SAMPLES; i++)
        error += fabs(s[i].n_real - mean) / SAMPLES;
    return error;
}

static double error_of_change_point(const sample *s)
{
    double mean = 0, error = 0;
    for (uint32_t i = 0; i < SAMPLES; i++)
        mean += s[i].n_real / SAMPLES;
    for (uint32_t i = 0; i < SAMPLES; i++)
        error += fabs(s[i].n_real - (s[i].change_point < 0 ? mean : s[i].change_point)) / SAMPLES;
    return error;
}

/* Least squares on every other sample, with a little damping; the error on the rest. */
static double error_of_regression(const sample *s)
{
    double a[FEATURES][FEATURES + 1] = {{0}}, error = 0;
    for (uint32_t i = 0; i < SAMPLES; i += 2)
        for (int x = 0; x < FEATURES; x++) {
            for (int y = 0; y < FEATURES; y++)
                a[x][y] += s[i].features[x] * s[i].features[y];
            a[x][FEATURES] += s[i].features[x] * s[i].n_real;
        }
    for (int x = 0; x < FEATURES; x++)
        a[x][x] += 1e-3;
    for (int x = 0; x < FEATURES; x++)
        for (int row = 0; row < FEATURES; row++) {
            const double factor = row == x ? 0 : a[row][x] / a[x][x];
            for (int y = x; row != x && y <= FEATURES; y++)
                a[row][y] -= factor * a[x][y];
        }
    for (uint32_t i = 1; i < SAMPLES; i += 2) {
        double estimate = 0;
        for (int x = 0; x < FEATURES; x++)
            estimate += s[i].features[x] * a[x][FEATURES] / a[x][x];
        error += fabs(s[i].n_real - estimate) / (SAMPLES / 2.0);
    }
    return error;
}

static void padding_cannot_be_told(void **state)
{
    (void)state;
    static const double share[] = {0.1, 0.3, 0.6};
    search_spec spec = {.block = BLOCK};
    protocol_options hide = {
        .partition = PARTITION_HORIZONTAL, .hide_sizes = true, .withhold = OPTIONS_WITHHOLD};
    for (seed = 0; seed < SEEDS; seed++) {
        distributed j;
        distributed_init(&j, &shape, PARTIES, seed + 1, share);
        assert_int_equal(distributed_run(&j, make_samples, &spec, &hide), KITH_OK);
        distributed_wipe(&j);
    }
    for (uint32_t s = 0; s < PARTIES; s++) {
        const double guess = error_of_guess(padded[s]);
        print_message("site %u: guess %.1f, change point %.1f (appended: %.1f), regression %.1f "
                      "(appended: %.1f)\n",
                      s + 1, guess, error_of_change_point(padded[s]),
                      error_of_change_point(appended[s]), error_of_regression(padded[s]),
                      error_of_regression(appended[s]));
        assert_true(guess > 4);
        /* Real questions are anywhere in the block. */
        assert_true(fabs(places[s] / n_places[s] - (BLOCK - 1) / 2.0) < 2);
        assert_true(error_of_change_point(padded[s]) > 0.9 * guess);
        assert_true(error_of_change_point(appended[s]) < 0.4 * guess);
        assert_true(error_of_regression(padded[s]) > 0.85 * guess);
        assert_true(error_of_regression(appended[s]) < 0.6 * guess);
    }
}

/* --- on the wire --- */

static uint32_t n_blocks, n_wrong;

static void saw(void *user, uint32_t self, uint32_t from, const char *type, const void *bytes,
                size_t length)
{
    uint32_t ask[BLOCK * 8 * 3];
    asked list[BLOCK * 8];
    uint32_t start[BLOCK * 8 + 1];
    (void)user;
    (void)from;
    if (self != 0 || strcmp(type, "cluster.ask") != 0 || length == 0)
        return;
    assert_true(length <= sizeof ask);
    memcpy(ask, bytes, length);
    for (size_t i = 0; i < length / 12; i++)
        list[i] = (asked){ask[3 * i], ask[3 * i + 1]};
    n_blocks++;
    n_wrong += find_groups(list, (uint32_t)(length / 12), start) != BLOCK;
}

/* Every block of a run is about as many clusters as every other, also of sites without records. */
static void all_blocks_are_full(void **state)
{
    (void)state;
    static const double share[] = {0.4, 0.6, 0};
    search_spec spec = {.block = BLOCK};
    protocol_options hide = {
        .partition = PARTITION_HORIZONTAL, .hide_sizes = true, .withhold = OPTIONS_WITHHOLD};
    inproc_options watched = {.record = {saw, NULL}};
    problem_shape small = shape;
    distributed j;
    small.n_records = 400;
    n_blocks = n_wrong = 0;
    distributed_init(&j, &small, PARTIES, 9, share);
    assert_int_equal(distributed_run_with(&j, rows_clustering, &spec, &hide, &watched), KITH_OK);
    (void)distributed_equals_central(&j, &spec);
    assert_true(n_blocks > 20);
    assert_int_equal(n_wrong, 0);
    distributed_wipe(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(padding_cannot_be_told),
        cmocka_unit_test(all_blocks_are_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
