/* Rehearsals of a joint run.
 *
 * The numbers of passes, blocks and nodes depend on the data more than on any formula, so the
 * protocol itself runs on records drawn from the given table: as many as the real run would have,
 * if necessary with repetitions. (Equal records are cheaper than different ones, but that error is
 * smaller than that of an extrapolation from few records.) An estimate that takes as long as the
 * run is none, so rehearsals begin small and double as long as time allows; then each figure is
 * extrapolated from the last two. Messages, rounds and bytes
 * come from the ledgers. Trees of columns are rehearsed in full size if time allows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/rng.h"
#include "job/rehearse/estimate.h"
#include "job/rehearse/simulate.h"
#include "job/joint/joint_summary.h"
#include "table/table_writer.h"

enum { FIRST = 500, LAST = 16000 }; /* records of a rehearsal that is not of full size */

/* Writes the rows of a rehearsal to a file. */
static kith_status write_sample(const char **path, const estimation *e, uint32_t count,
                                kith_error *error)
{
    const kith_table *t = e->table;
    arena *memory = e->context.memory;
    const char *missing = simulate_data_missing(e->study);
    const char **cells = TRY_ARRAY(cells, memory, t->n_columns, error);
    const char **names = TRY_ARRAY(names, memory, t->n_columns, error);
    uint32_t *rows;
    table_writer *w;
    *path = TRY_ALLOC(arena_printf(memory, "%s/sample-%u.csv", e->directory, count), error);
    for (uint32_t i = 0; i < t->n_columns; i++)
        names[i] = t->columns[i].name;
    /* Draws rows, with repetition only if there are too few. */
    uint32_t all = e->table->n_rows;
    rng coins;
    rng_init(&coins, e->context.seed, 0);
    rows = arena_array(e->context.memory, count > all ? count : all, sizeof *rows);
    TRY_ALLOC(rows, error);
    for (uint32_t i = 0; i < all; i++)
        rows[i] = i;
    rng_shuffle(&coins, rows, all);
    for (uint32_t i = all; i < count; i++)
        rows[i] = rng_below(&coins, all);
    TRY(table_writer_open(&w, memory, *path, ',', true, names, t->n_columns, error));
    for (uint32_t r = 0; r < count; r++) {
        char number[16];
        for (uint32_t i = 0; i < t->n_columns; i++) {
            const char *cell = kith_table_cell(t, rows[r], i);
            cells[i] = cell == NULL ? missing : cell;
        }
        snprintf(number, sizeof number, "%u", r); /* a row that is drawn twice is two persons */
        if (e->study->id_column != NULL && !e->study->joint.ids_aligned)
            cells[t->n_columns - 1] = number;
        TRY(table_writer_row(w, cells, error));
    }
    return table_writer_commit(w, error);
}

/* Is the protocol quick, and takes more records without many more rounds? */
static bool is_steady(const estimation *e)
{
    const protocol_options *o = &e->study->joint;
    return o->protocol->steady >> o->partition & 1;
}

/* Records of the first rehearsal. If the largest one is to be extrapolated, sizes double up to it.
 */
static uint32_t first_records(uint64_t most, bool extrapolated)
{
    if (!extrapolated)
        return most < FIRST ? (uint32_t)most : FIRST;
    while (most > FIRST)
        most = most / 2 + most % 2;
    return (uint32_t)most;
}

double estimate_trials_seconds(const kith_document *summary, const char *phase, double work)
{
    const double total = kith_document_number(summary, "seconds.total", 0);
    const double took = kith_document_number(summary, phase, 0);
    return total > 0 ? fmin(took, work * took / total) : took;
}

/* Simulates the run with a sample of this size. */
static kith_status trial_run(double figure[FIGURES], estimation *e, uint32_t count,
                             kith_error *error)
{
    kith_document *summary = NULL;
    kith_input input = KITH_OPTIONS(kith_input, .separator = ',');
    kith_simulate_options options =
        KITH_OPTIONS(kith_simulate_options, .input = &input, .n_sites = e->n_sites,
                     .split = e->options->split, .overwrite = true);
    TRY(write_sample(&input.uri, e, count, error));
    options.directory =
        TRY_ALLOC(arena_printf(e->context.memory, "%s/run-%u", e->directory, count), error);
    const double worked = context_process_seconds();
    TRY(kith_simulate(&summary, e->study, &options, e->context.run, error));
    const double work = context_process_seconds() - worked;
    figure[CALLS] = joint_summary_calls(summary);
    figure[ROUNDS] = kith_document_number(summary, "protocol.rounds", 0);
    figure[MESSAGES] = kith_document_number(summary, "protocol.messages", 0);
    figure[BYTES] = kith_document_number(summary, "protocol.bytes", 0);
    double max = 0;
    size_t n_sites = kith_document_n_items(summary, "sites");
    for (size_t i = 0; i < n_sites; i++) {
        char path[48];
        snprintf(path, sizeof path, "sites.%zu.bytes", i);
        max = fmax(max, kith_document_number(summary, path, 0));
    }
    figure[BUSIEST] = max;
    figure[SECONDS] = estimate_trials_seconds(summary, "seconds.run", work);
    e->n_sites = (uint32_t)kith_document_number(summary, "protocol.sites", e->n_sites);
    e->protocol = arena_strdup(e->context.memory, kith_document_text(summary, "protocol.name", ""));
    kith_document_free(summary);
    return e->protocol != NULL ? KITH_OK : error_nomem(error);
}

/* By which power of the number of records a figure grew when that doubled; 1 if that is not known.
 * No power is above 2: measured times vary. */
static double power(double figure, double half)
{
    if (half <= 0)
        return 1;
    return figure > half ? fmin(log2(figure / half), 2) : 0;
}

/* Calls and rounds follow the depth of a search. Of the rest, what grows more slowly than the
 * records has a part that does not grow with them, such as questions about the nodes of
 * hierarchies, and one that does. Figures that decrease stay as they are. */
static void extrapolate(double figure[FIGURES], const double half[FIGURES], double factor,
                        bool same_depth)
{
    for (int i = same_depth ? BYTES : CALLS; i < FIGURES; i++) {
        const double grows = power(figure[i], half[i]);
        if (grows >= 1 || i < MESSAGES)
            figure[i] *= pow(factor, grows);
        else
            figure[i] += fmax(figure[i] - half[i], 0) * 2 * (factor - 1);
    }
}

/* May the next rehearsal, of twice the size, begin? `took`: what the last one computed, of `size`
 * records; `spent`: all so far, in seconds of processor, so that a busy machine does not change it. */
static bool affords_next(const estimation *e, const double figure[FIGURES],
                         const double half[FIGURES], uint32_t size, double took, double spent)
{
    const double grows = half[SECONDS] > 0 ? fmax(power(figure[SECONDS], half[SECONDS]), 1) : 2;
    const double predicted = figure[SECONDS] * pow((double)e->n_records / size, grows);
    return spent + took * pow(2, grows) <= fmax(e->budget->seconds, predicted * e->budget->share);
}

/* A rehearsal of this size; too few records for the models are no reason to give up. */
static kith_status try_size(double figure[FIGURES], estimation *e, uint32_t size, bool *feasible,
                            kith_error *error)
{
    kith_status status = trial_run(figure, e, size, error);
    *feasible = status == KITH_OK;
    return status == KITH_INFEASIBLE && size < e->n_records ? KITH_OK : status;
}

kith_status estimate_trials(estimation *e, kith_error *error)
{
    double half[FIGURES] = {0}, figure[FIGURES] = {0};
    const double begun = context_process_seconds();
    bool feasible;
    /* Records that the largest rehearsal may have. Regions are cut where values differ: with
     * repetitions it asks for more (by 40% in tests) than with as many different records, and is
     * extrapolated. */
    const uint64_t at_hand = e->table->n_rows;
    const uint64_t most =
        e->study->search.regions && at_hand < e->n_records ? at_hand : e->n_records;
    uint32_t size = first_records(most, most < e->n_records);
    for (;;) {
        const double since = context_process_seconds();
        double now[FIGURES];
        TRY(try_size(now, e, size, &feasible, error));
        const double done = context_process_seconds();
        if (feasible) {
            memcpy(half, figure, sizeof half);
            memcpy(figure, now, sizeof figure);
            e->extrapolated = size;
        }
        if (size == most || (feasible && size >= LAST && !is_steady(e)))
            break;
        if (feasible && !affords_next(e, figure, half, size, done - since, done - begun))
            break;
        size = most < 2 * (uint64_t)size ? (uint32_t)most : 2 * size;
    }
    feasible = true;
    if (e->extrapolated < (double)e->n_records && half[MESSAGES] <= 0)
        TRY(try_size(half, e, (uint32_t)e->extrapolated / 2, &feasible, error));
    if (!feasible)
        memset(half, 0, sizeof half);
    if (e->extrapolated < (double)e->n_records)
        extrapolate(figure, half, (double)e->n_records / e->extrapolated, is_steady(e));
    else
        e->extrapolated = 0;
    memcpy(e->figure, figure, sizeof figure);
    return KITH_OK;
}

kith_status estimate_trials_sample(kith_table **part, const estimation *e, uint32_t count,
                                   kith_error *error)
{
    const char *path;
    kith_table_options options = study_table_options(e->study);
    options.separator = ',';
    TRY(write_sample(&path, e, count, error));
    return kith_table_read(part, path, &options, e->context.run, error);
}
