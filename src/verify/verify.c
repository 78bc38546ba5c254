#include "verify/verify.h"

#include <math.h>
#include <string.h>

#include "core/error.h"

/* What the checks of all models share. */
typedef struct check {
    const kith_table *release;
    const classes *classes;
    uint32_t suppressed; /* class of the suppressed rows, or UINT32_MAX */
} check;

static bool is_star(const column *c, uint32_t row)
{
    return c->codes[row] != TABLE_MISSING &&
           strcmp(dictionary_text(&c->values, c->codes[row]), "*") == 0;
}

/* The class whose rows are `*` throughout, if it is small enough to count as suppressed. */
static uint32_t find_suppressed(const kith_table *release, const classes *c, const uint32_t *quasi,
                                uint32_t quasi_count, uint64_t may_suppress)
{
    for (uint32_t i = 0; i < c->count && quasi_count > 0; i++) {
        uint32_t stars = 0;
        while (stars < quasi_count && is_star(&release->column[quasi[stars]], c->first[i]))
            stars++;
        if (stars == quasi_count)
            return c->size[i] <= may_suppress ? i : UINT32_MAX;
    }
    return UINT32_MAX;
}

static void judge(verify_verdict *v, double value, bool holds, uint32_t size, uint32_t row)
{
    if (value < v->worst) {
        v->worst = value;
        v->row = row;
    }
    if (!holds) {
        v->holds = false;
        v->violating_classes++;
        v->violating_rows += size;
    }
}

static void check_sizes(verify_verdict *v, const check *c, double k)
{
    for (uint32_t i = 0; i < c->classes->count; i++)
        if (i != c->suppressed)
            judge(v, c->classes->size[i], c->classes->size[i] >= k, c->classes->size[i],
                  c->classes->first[i]);
}

/* Largest number of rows that share one value; `counts` is zero before and after. */
static uint32_t largest_count(const uint32_t *codes, uint32_t values, const uint32_t *row,
                              uint32_t rows, uint32_t *counts)
{
    uint32_t largest = 0;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t value = codes[row[i]] == TABLE_MISSING ? values : codes[row[i]];
        if (++counts[value] > largest)
            largest = counts[value];
    }
    for (uint32_t i = 0; i < rows; i++)
        counts[codes[row[i]] == TABLE_MISSING ? values : codes[row[i]]] = 0;
    return largest;
}

/* No value may take more than 1/l of a class. The tolerance is for an l that binary fractions
 * cannot hold. */
static kith_status check_frequency(verify_verdict *v, const check *c, const verify_model *model,
                                   arena *memory, kith_error *error)
{
    const column *sensitive = &c->release->column[model->sensitive];
    uint32_t *start, *row;
    TRY(classes_rows(c->classes, memory, c->release->rows, &start, &row, error));
    uint32_t *counts = arena_zalloc(memory, sensitive->values.count + (size_t)1, sizeof(uint32_t));
    TRY_ALLOC(counts, error);
    for (uint32_t i = 0; i < c->classes->count; i++) {
        if (i == c->suppressed)
            continue;
        uint32_t size = c->classes->size[i];
        uint32_t largest =
            largest_count(sensitive->codes, sensitive->values.count, row + start[i], size, counts);
        bool holds = largest * model->need <= size * (1 + 1e-12);
        judge(v, (double)size / largest, holds, size, c->classes->first[i]);
    }
    return KITH_OK;
}

static void count_classes(verify_report *report, const check *c)
{
    report->rows = c->release->rows;
    report->smallest = 0;
    for (uint32_t i = 0; i < c->classes->count; i++) {
        uint32_t size = c->classes->size[i];
        if (i == c->suppressed) {
            report->suppressed = size;
            continue;
        }
        if (report->classes++ == 0 || size < report->smallest)
            report->smallest = size;
    }
}

kith_status verify_release(verify_report *report, arena *memory, const kith_table *release,
                           const uint32_t *quasi, uint32_t quasi_count, const verify_model *models,
                           uint32_t model_count, uint64_t may_suppress, kith_error *error)
{
    *report = (verify_report){.holds = true};
    classes *grouping = arena_alloc(memory, sizeof *grouping);
    TRY_ALLOC(grouping, error);
    TRY(classes_make(grouping, memory, release, quasi, quasi_count, error));
    report->grouping = grouping;
    report->suppressed_class = find_suppressed(release, grouping, quasi, quasi_count, may_suppress);
    check c = {release, grouping, report->suppressed_class};
    count_classes(report, &c);
    report->verdict = arena_zalloc(memory, model_count + (size_t)1, sizeof *report->verdict);
    TRY_ALLOC(report->verdict, error);
    for (uint32_t i = 0; i < model_count; i++) {
        verify_verdict *v = &report->verdict[i];
        v->holds = true;
        v->worst = INFINITY;
        switch (models[i].kind) {
        case VERIFY_K_ANONYMITY: check_sizes(v, &c, models[i].need); break;
        case VERIFY_L_FREQUENCY: TRY(check_frequency(v, &c, &models[i], memory, error)); break;
        }
        report->holds = report->holds && v->holds;
    }
    return KITH_OK;
}
