/* kith_smc: one secure primitive among the parties of a study. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kith/joint.h>
#include <kith/smc.h>

#include "core/run/context.h"
#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "core/sort.h"
#include "core/text.h"
#include "core/system/text_stream.h"
#include "job/joint/session.h"
#include "smc/compare/kth.h"
#include "smc/compare/logic.h"
#include "smc/sums/sum.h"
#include "smc/sets/mix_union.h"

enum { DEFAULT_WIDTH = 64, MAX_WIDTH = 65536, MAX_VALUES = 1 << 24 };

/* A task: values as the primitives need them, and results as texts. */
typedef struct work {
    const kith_smc_task *task;
    size_t width; /* of texts, for the union */
    arena *memory;
    int64_t *number;      /* [n_values of the task] not for the union */
    const char **results; /* [n_results] */
    size_t n_results;
} work;

/* Runs a primitive on the values of this party and stores the results. */
typedef kith_status (*operation)(work *w, party *p, kith_error *error);

/* Stores numbers as texts. */
static kith_status put_results(work *w, const int64_t *value, size_t n, kith_error *error)
{
    w->results = TRY_ZEROS(w->results, w->memory, n, error);
    for (w->n_results = 0; w->n_results < n; w->n_results++) {
        w->results[w->n_results] =
            TRY_ALLOC(arena_printf(w->memory, "%" PRId64, value[w->n_results]), error);
    }
    return KITH_OK;
}

static kith_status run_sum(work *w, party *p, kith_error *error)
{
    uint64_t *value = (uint64_t *)w->number; /* two's complement: sums wrap at 64 bits */
    TRY(sum_masked(p, value, value, w->task->n_values, 0, SMC_ALL, error));
    return put_results(w, w->number, w->task->n_values, error);
}

/* "and", "or": each value is one bit. */
static kith_status run_logic(work *w, party *p, kith_error *error)
{
    size_t n = w->task->n_values;
    uint64_t *bits = TRY_ZEROS(bits, w->memory, smc_words(n), error);
    for (size_t i = 0; i < n; i++)
        smc_set_bit(bits, i, (unsigned)w->number[i]);
    if (strcmp(w->task->operation, "and") == 0)
        TRY(logic_and(p, bits, bits, n, SMC_ALL, error));
    else
        TRY(logic_or(p, bits, bits, n, SMC_ALL, error));
    for (size_t i = 0; i < n; i++)
        w->number[i] = (int64_t)smc_bit(bits, i);
    return put_results(w, w->number, n, error);
}

/* "min", "max", "median"; no result if no party has a value. */
static kith_status run_kth(work *w, party *p, kith_error *error)
{
    const char *name = w->task->operation;
    kth_query query = {.low = w->task->low, .high = w->task->high, .rank = 1, .parts = 2};
    query.max_values = (uint32_t)MAX_VALUES * PARTY_MAX;
    kth_values values = {w->number, w->task->n_values};
    int64_t found = 0;
    bool any = false;
    query.kind = strcmp(name, "min") == 0   ? KTH_SMALLEST
                 : strcmp(name, "max") == 0 ? KTH_LARGEST
                                            : KTH_QUANTILE;
    qsort(w->number, w->task->n_values, sizeof *w->number, sort_int64);
    TRY(kth(p, &found, &any, &query, &values, 1, error));
    return put_results(w, &found, any ? 1 : 0, error);
}

/* "union": texts as rows of equal width, filled with zeros. */
static kith_status run_union(work *w, party *p, kith_error *error)
{
    size_t n = w->task->n_values;
    mix_union_rows mine = {arena_zalloc(w->memory, n, w->width), n}, all;
    TRY_ALLOC(mine.bytes, error);
    for (size_t i = 0; i < n; i++)
        memcpy(mine.bytes + i * w->width, w->task->values[i], strlen(w->task->values[i]));
    TRY(mix_union(p, &all, &mine, (mix_union_shape){.row_bytes = w->width}, error));
    w->results = TRY_ZEROS(w->results, w->memory, all.count, error);
    for (w->n_results = 0; w->n_results < all.count; w->n_results++) {
        const char *row = (const char *)all.bytes + w->n_results * w->width;
        w->results[w->n_results] =
            TRY_ALLOC(arena_strndup(w->memory, row, strnlen(row, w->width)), error);
    }
    return KITH_OK;
}

static const struct {
    const char *name;
    operation run;
    bool ranged;  /* needs a range of the values */
    bool counted; /* all give the same number of values */
} operations[] = {
    {"sum", run_sum, false, true},      {"and", run_logic, false, true},
    {"or", run_logic, false, true},     {"min", run_kth, true, false},
    {"max", run_kth, true, false},      {"median", run_kth, true, false},
    {"union", run_union, false, false},
};

static kith_status smc_run_read_values(work *w, int op, kith_error *error)
{
    bool bits = operations[op].run == run_logic;
    if (w->task->n_values > MAX_VALUES)
        return error_set(error, KITH_DATA, "more than %d values", MAX_VALUES);
    if (operations[op].counted && w->task->n_values == 0)
        return error_set(error, KITH_INVALID, "no values");
    w->number = TRY_ZEROS(w->number, w->memory, w->task->n_values, error);
    for (size_t i = 0; i < w->task->n_values; i++)
        if (operations[op].run != run_union) {
            /* a number within the range of the task, or a bit */
            const char *text = w->task->values[i];
            char quoted[64];
            int64_t low = bits ? 0 : w->task->ranged ? w->task->low : INT64_MIN;
            int64_t high = bits ? 1 : w->task->ranged ? w->task->high : INT64_MAX;
            text_quote(quoted, sizeof quoted, text, strlen(text));
            if (!text_integer(text, strlen(text), &w->number[i]))
                return error_set(error, KITH_DATA, "value %zu: '%s' is not a whole number", i + 1,
                                 quoted);
            if (w->number[i] < low || w->number[i] > high)
                return error_set(error, KITH_DATA,
                                 "value %zu: %s is not in %" PRId64 " to %" PRId64, i + 1, quoted,
                                 low, high);
        } else if (strlen(w->task->values[i]) > w->width) {
            return error_set(error, KITH_DATA, "value %zu has %zu bytes, but --width allows %zu",
                             i + 1, strlen(w->task->values[i]), w->width);
        }
    return KITH_OK;
}

/* Finds errors of the task and reads its values, before anyone connects. */
static kith_status check_task(work *w, int op, kith_error *error)
{
    const kith_smc_task *t = w->task;
    if (op < 0)
        return error_set(
            error, KITH_INVALID,
            "unknown operation '%.40s': expected sum, and, or, min, max, median or union",
            t->operation);
    if (operations[op].ranged && (!t->ranged || t->low > t->high))
        return error_set(error, KITH_INVALID, "%s needs the range of the values (--range LOW:HIGH)",
                         t->operation);
    if (operations[op].ranged && (t->low < -(INT64_C(1) << 60) || t->high > INT64_C(1) << 60))
        return error_set(error, KITH_INVALID, "the range must lie within -2^60 and 2^60");
    w->width = t->width == 0 ? DEFAULT_WIDTH : t->width;
    if (w->width > MAX_WIDTH)
        return error_set(error, KITH_INVALID, "--width is at most %d", MAX_WIDTH);
    return smc_run_read_values(w, op, error);
}

static void put_count(kith_document *d, document_node *root, const char *key, ledger_count c)
{
    document_node *at = document_object(d, root, key);
    document_put_count(d, at, "messages", c.n_messages);
    document_put_count(d, at, "bytes", c.bytes);
}

/* Results and cost of the computation. */
static kith_status smc_run_describe(const work *w, const session *s, double seconds,
                                    kith_document **document, kith_error *error)
{
    const ledger *l = party_ledger(s->party);
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    document_put_text(d, root, "operation", w->task->operation);
    document_node *values = document_array(d, root, "values");
    for (size_t i = 0; i < w->n_results; i++)
        document_put_text(d, values, NULL, w->results[i]);
    document_put_count(d, root, "rounds", l->n_rounds);
    put_count(d, root, "sent", l->sent);
    put_count(d, root, "received", l->received);
    document_put_number(d, root, "seconds", seconds);
    return document_finish(document, d, error);
}

/* The results, one per line. */
static kith_status print_lines(const work *w, char **lines, kith_error *error)
{
    size_t size;
    FILE *out = TRY_ALLOC(open_memstream(lines, &size), error);
    for (size_t i = 0; i < w->n_results; i++)
        fprintf(out, "%s\n", w->results[i]);
    return text_stream_close(out, lines, error);
}

/* Connects and runs the operation. Everything that must be equal at all parties is a term of the
 * session, so that a difference is reported before any value is used. */
static kith_status work_together(work *w, int op, const kith_study *study,
                                 const kith_party_options *options, const kith_run *run,
                                 kith_document **document, kith_error *error)
{
    const kith_smc_task *t = w->task;
    session s;
    session_terms terms = {.count = 0};
    session_agree(&terms, "smc.operation", "%s", t->operation);
    if (operations[op].counted)
        session_agree(&terms, "smc.values", "%zu", t->n_values);
    if (operations[op].ranged)
        session_agree(&terms, "smc.range", "%" PRId64 ":%" PRId64, t->low, t->high);
    if (operations[op].run == run_union)
        session_agree(&terms, "smc.width", "%zu", w->width);
    kith_status status = session_open(&s, study, options, &terms, run, error);
    double start = context_seconds();
    if (status == KITH_OK) {
        party_step(s.party, operations[op].name);
        status = operations[op].run(w, s.party, error);
    }
    status = session_close(&s, status, error);
    if (status == KITH_OK)
        status = smc_run_describe(w, &s, context_seconds() - start, document, error);
    session_free(&s);
    return status;
}

kith_status kith_smc(char **lines, kith_document **document, const kith_study *study,
                     const kith_smc_task *task, const kith_party_options *options,
                     const kith_run *run, kith_error *error)
{
    kith_smc_task own_task;
    kith_party_options own;
    kith_input input;
    kith_run own_run;
    TRY(OPTIONS_TAKE(kith_smc_task, width, &own_task, task, error));
    TRY(options_need(own_task.operation, "operation", error));
    TRY(session_take(&own, &input, &own_run, options, run, error));
    work w = {.task = &own_task, .memory = arena_new()};
    int op = (int)(sizeof operations / sizeof *operations) - 1;
    while (op >= 0 && strcmp(operations[op].name, own_task.operation) != 0)
        op--;
    TRY_ALLOC(w.memory, error);
    kith_status status = check_task(&w, op, error);
    if (status == KITH_OK)
        status = work_together(&w, op, study, &own, &own_run, document, error);
    if (status == KITH_OK && lines != NULL) {
        status = print_lines(&w, lines, error);
        if (status != KITH_OK) {
            kith_document_free(*document);
            *document = NULL;
        }
    }
    arena_free(w.memory);
    return status;
}
