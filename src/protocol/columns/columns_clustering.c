/* SDC Algorithm 4 over channels. All parties run the steps of columns_sequential.c at the same
 * time; here are the sums and messages that connect them. */
#include "protocol/columns/columns_clustering.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

#include "core/error.h"
#include "protocol/columns_agree.h"
#include "protocol/leave_together.h"
#include "protocol/private_choices.h"
#include "protocol/columns/columns_sequential.h"
#include "smc/sums/sum.h"

/* What the pivot tells depends on sums that it learned, and on sensitive values if models look at
 * them. */
static const message_type told_types[COLUMNS_TOPICS] = {
    [COLUMNS_TERMS] = {"vertical.terms", DISCLOSE_CHOICE},       /* message 6 */
    [COLUMNS_CLUSTERS] = {"vertical.clusters", DISCLOSE_CHOICE}, /* message 7 */
    [COLUMNS_MOVES] = {"vertical.moves", DISCLOSE_CHOICE},       /* message 9 */
    [COLUMNS_SPLITS] = {"vertical.splits", DISCLOSE_CHOICE},     /* message 10 */
    [COLUMNS_COST] = {"vertical.cost", DISCLOSE_CHOICE},         /* message 11 */
    [COLUMNS_ROWS] = {"vertical.rows", DISCLOSE_CHOICE},         /* message 12 */
    [COLUMNS_UNIONS] = {"vertical.unions", DISCLOSE_CHOICE},     /* message 13 */
};

static const struct {
    const char *step;
    const char *told;  /* what the others learn */
    size_t unit;       /* bytes of one value of it */
    const char *added; /* what the pivot learns */
} topics[COLUMNS_TOPICS] = {
    [COLUMNS_TERMS] = {"vertical.start", "terms", 4, NULL},
    [COLUMNS_CLUSTERS] = {"vertical.start", "clusters", 4, NULL},
    [COLUMNS_MOVES] = {"vertical.pass", "moves", 4, "prices.moves"},
    [COLUMNS_SPLITS] = {"vertical.split", "splits", 1, NULL},
    [COLUMNS_COST] = {"vertical.stop", "decisions to stop", 1, "cost"},
    [COLUMNS_ROWS] = {"vertical.finish", "rows", 1, NULL},
    [COLUMNS_UNIONS] = {"vertical.finish", "unions", 4, "prices.unions"},
};

/* With noise some move always seems to help, so passes end at a larger gain. */
static const double gain_above_noise = 1e-3;

typedef struct site {
    party *p;
    uint32_t pivot;
    int64_t amplitude; /* of the noise; 0: none */
    unsigned char key[crypto_shorthash_KEYBYTES];
} site;

static kith_status columns_clustering_add_up(void *user, columns_topic topic, int64_t *value,
                                             size_t n, kith_error *error)
{
    site *s = user;
    const char *before = party_step(s->p, topics[topic].step);
    /* Two's complement: sums modulo 2^64 are sums of signed numbers. */
    /* message 8 */
    TRY(sum_masked(s->p, (uint64_t *)value, (const uint64_t *)value, n, 0, s->pivot, error));
    if (party_self(s->p) == s->pivot) {
        party_learns(s->p, DISCLOSE_AGGREGATE, topics[topic].added, n);
        /* At the pivot: can these be sums of costs? A wrong share is noise of 64 bits, and
         * following it would keep all parties busy with senseless moves. Masks hide who sent it,
         * unless there is only one other party. */
        static const char *const what = "a wrong share: a sum of costs is out of range";
        const int64_t max = (int64_t)party_count(s->p) * COLUMNS_MAX_SUMMAND;
        bool good = true;
        for (size_t i = 0; i < n; i++)
            good &= value[i] <= max && value[i] >= -max;
        if (!good) {
            if (party_count(s->p) == 2)
                return party_protocol_error(s->p, 1 - s->pivot, error, "sent %s", what);
            return error_set(error, KITH_PEER, "some party sent %s", what);
        }
    }
    party_step(s->p, before);
    return KITH_OK;
}

static kith_status columns_clustering_tell(void *user, columns_topic topic, void *bytes,
                                           size_t length, kith_error *error)
{
    site *s = user;
    const message_type *type = &told_types[topic];
    const char *before = party_step(s->p, topics[topic].step);
    if (party_self(s->p) == s->pivot) {
        for (uint32_t to = 0; to < party_count(s->p); to++)
            if (to != s->pivot)
                TRY(smc_send(s->p, to, type, bytes, length, error));
    } else {
        TRY(smc_recv(s->p, s->pivot, type, bytes, length, error));
        party_learns(s->p, DISCLOSE_CHOICE, topics[topic].told, length / topics[topic].unit);
    }
    party_step(s->p, before);
    return KITH_OK;
}

static kith_status columns_clustering_refuse(void *user, columns_topic topic, kith_error *error)
{
    const site *s = user;
    return party_protocol_error(s->p, s->pivot, error, "sent an invalid %s",
                                told_types[topic].name);
}

static uint64_t prf(const site *s, const uint64_t *words, size_t count)
{
    uint64_t out;
    crypto_shorthash((unsigned char *)&out, (const unsigned char *)words, count * sizeof *words,
                     s->key);
    return out;
}

static uint64_t tag(void *user, uint32_t record)
{
    const uint64_t words[] = {record};
    return prf(user, words, 1);
}

/* Uniform in -amplitude … amplitude, and the same for the same arguments. */
static int64_t noise(void *user, uint32_t record, uint64_t from, uint64_t to)
{
    const site *s = user;
    const uint64_t words[] = {record, from, to};
    const double unit = (double)(prf(s, words, 3) >> 11) * 0x1p-53;
    return llrint((2 * unit - 1) * (double)s->amplitude);
}

/* Noise is relative to the cost of one record with all of this party's columns suppressed. */
static kith_status choose_noise(site *s, const columns_task *task, kith_error *error)
{
    const problem *mine = task->mine;
    unsigned char key[PRIVATE_CHOICES_BYTES];
    double max_cost = 0;
    if (!(task->options->noise > 0))
        return KITH_OK;
    if (!(task->options->noise <= 1))
        return error_set(error, KITH_INVALID, "noise must be between 0 and 1");
    for (uint32_t j = 0; j < mine->n_attributes; j++)
        max_cost += mine->attributes[j].cost[tree_root(mine->attributes[j].tree)];
    s->amplitude = llrint(fmin(task->options->noise * max_cost * COLUMNS_UNIT, 0x1p50));
    private_choices_key(key, task->choices, "noise on prices");
    memcpy(s->key, key, sizeof s->key);
    sodium_memzero(key, sizeof key);
    return KITH_OK;
}

static kith_status fill_result(columns_result *result, const columns_sequential_result *found,
                               const problem *mine, arena *memory, kith_error *error)
{
    const partition *classes = &found->partition;
    uint64_t *size = TRY_ZEROS(size, memory, classes->n_classes, error);
    for (uint32_t i = 0; i < mine->n_records; i++)
        size[classes->class_of[i]]++;
    *result = (columns_result){.n_classes = classes->n_classes,
                               .class_of = classes->class_of,
                               .closure = classes->closure,
                               .size = size};
    protocol_report *r = &result->report;
    r->n_passes = found->n_passes;
    r->stopped = found->stopped;
    r->n_paper_sums = found->n_paper_sums;
    report_fact(r, "visits", (double)found->n_visits);
    report_fact(r, "put_off", (double)found->put_off);
    report_fact(r, "blocks", (double)found->n_blocks);
    report_fact(r, "prices", (double)found->asked);
    report_fact(r, "polishing", found->polishing);
    return KITH_OK;
}

kith_status columns_clustering(columns_result *result, party *p, const columns_task *task,
                               kith_error *error)
{
    site s = {.p = p, .pivot = task->pivot};
    columns_link link = {.user = &s,
                         .follows = party_self(p) != task->pivot,
                         .sum = columns_clustering_add_up,
                         .tell = columns_clustering_tell,
                         .refuse = columns_clustering_refuse,
                         .small_gain = task->options->noise > 0 ? gain_above_noise : 0};
    columns_sequential_result found;
    const char *before = party_step(p, "vertical.start");
    if (task->pivot >= party_count(p))
        return error_set(error, KITH_INVALID, "there is no party %u to be the pivot", task->pivot);
    TRY(columns_sequential_check(task->mine, error));
    TRY(choose_noise(&s, task, error));
    if (s.amplitude > 0) {
        link.noise = noise;
        link.tag = tag;
    }
    TRY(columns_agree_shape(p, task, error));
    unsigned char choices[PRIVATE_CHOICES_BYTES];
    private_choices_key(choices, task->choices, "clustering over columns");
    link.choices = task->seeded ? NULL : choices;
    kith_status status = columns_sequential_run(&found, task->mine, task->spec, &link, task->seed,
                                                task->context, error);
    sodium_memzero(choices, sizeof choices);
    sodium_memzero(s.key, sizeof s.key);
    if (status == KITH_INFEASIBLE)
        leave_together(p, &leave_together_word);
    TRY(status);
    TRY(fill_result(result, &found, task->mine, task->context->memory, error));
    TRY(columns_agree(result, p, task, error));
    party_step(p, before);
    return KITH_OK;
}
