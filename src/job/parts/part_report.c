#include "job/parts/part_report.h"

#include <string.h>

#include "core/crew.h"
#include "core/error.h"

kith_status part_report_whole(assess_whole *whole, const part_texts *t, kith_error *error)
{
    if (t->n_rows > UINT32_MAX)
        return error_set(error, KITH_INVALID, "a release of %llu rows cannot be assessed",
                         (unsigned long long)t->n_rows);
    const uint64_t **counts =
        TRY_ALLOC(arena_array(t->context->memory, t->n_columns, sizeof *counts), error);
    for (uint32_t i = 0; i < t->n_columns; i++)
        counts[i] = t->columns[i].counts;
    *whole = (assess_whole){.n_rows = t->n_rows, .counts = counts};
    return KITH_OK;
}

/* What a rank tells the others of its classes; verdicts follow. */
typedef struct told {
    bool holds;
    uint32_t n_rows, n_classes, smallest, suppressed;
} told;

/* Reads what a rank has told into a report. */
static void hear(verify_report *report, const crew_bytes *from, uint32_t n_verdicts)
{
    told theirs;
    memcpy(&theirs, from->bytes, sizeof theirs);
    memcpy(report->verdict, (const char *)from->bytes + sizeof theirs,
           n_verdicts * sizeof *report->verdict);
    report->holds = theirs.holds;
    report->n_rows = theirs.n_rows;
    report->n_classes = theirs.n_classes;
    report->smallest = theirs.smallest;
    report->suppressed = theirs.suppressed;
}

kith_status part_report_unite(verify_report *report, const kith_study *study, context *c,
                              kith_error *error)
{
    const uint32_t n_ranks = crew_size(c->crew), n_verdicts = assess_n_verdicts(study);
    const told own = {report->holds, report->n_rows, report->n_classes, report->smallest,
                      report->suppressed};
    const size_t n_bytes = sizeof own + n_verdicts * sizeof *report->verdict;
    crew_bytes *all = TRY_ALLOC(arena_array(c->memory, n_ranks, sizeof *all), error);
    char *bytes = TRY_ALLOC(arena_alloc(c->memory, n_bytes), error);
    memcpy(bytes, &own, sizeof own);
    memcpy(bytes + sizeof own, report->verdict, n_verdicts * sizeof *report->verdict);
    TRY(crew_gather(c->crew, bytes, n_bytes, all, c->memory, error));
    verify_report one;
    TRY(verify_report_none(&one, n_verdicts, c->memory, error));
    TRY(verify_report_none(report, n_verdicts, c->memory, error));
    for (uint32_t r = 0; r < n_ranks; r++) {
        hear(&one, &all[r], n_verdicts);
        TRY(assess_add_models(report, &one, study, c, error));
    }
    return KITH_OK;
}
