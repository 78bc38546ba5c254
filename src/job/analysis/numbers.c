#include <math.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "job/analysis/analysis.h"

/* One bound of an interval's label, behind brackets and blanks. */
static bool read_bound(const char **text, double *bound)
{
    const char *at = *text + strspn(*text, "[(] ");
    const size_t length = (*at == '-') + strspn(at + (*at == '-'), "0123456789.");
    *text = at + length;
    return text_decimal(at, length, bound);
}

/* The bounds of "20-24", "-5 to -1", "[20, 22.5)", "[20, 30[". */
static bool read_interval(const char *text, double *low, double *high)
{
    if (!read_bound(&text, low))
        return false;
    text += strspn(text, " ");
    if (*text == '-' || *text == ',' || *text == ';')
        text++;
    else if (strncmp(text, "to ", 3) == 0)
        text += 3;
    else
        return false;
    if (!read_bound(&text, high))
        return false;
    text += strspn(text, "])[ ");
    return *text == '\0' && *low <= *high;
}

/* The number that stands for a released cell, or NaN. */
static double middle(const query_column *q, query_cell cell, const double *number_at,
                     const char *label)
{
    double low = INFINITY, high = -INFINITY, from, to;
    uint32_t known = 0;
    for (uint32_t i = cell.first; i <= cell.last; i++) {
        const double number = number_at[cell.by_position ? i : q->rank[i]];
        low = number < low ? number : low;
        high = number > high ? number : high;
        known += !isnan(number);
    }
    if (known == 0 || (known == q->n_values && known > 1))
        return NAN; /* missing, or everything */
    if (low < high && label != NULL && read_interval(label, &from, &to) && from <= low &&
        high <= to)
        return (from + to) / 2;
    return (low + high) / 2;
}

/* Fills numbers[n_texts + 1] and returns how many there are. */
static size_t count_released(counted_number *numbers, const analysis *a, uint32_t j,
                             const double *number_at)
{
    const analysis_column *shown = &a->columns[j];
    const prepared_column *from = &a->data->columns[a->data->quasi[j]];
    size_t count = 0;
    for (uint32_t code = 0; code <= shown->n_texts; code++) {
        const bool missing = code == shown->n_texts;
        double number;
        if (shown->rows[code] == 0)
            continue;
        if (missing || !from->study->mean || !assess_mean(&number, from, shown->texts, code))
            number = middle(&a->shown.by_class.columns[j], shown->cells[code], number_at,
                            missing ? NULL : dictionary_text(shown->texts, code));
        if (!isnan(number))
            numbers[count++] = (counted_number){number, shown->rows[code]};
    }
    return count;
}

/* The usual measure of microaggregation: squared distances of the values from the means that stand
 * for them, divided by those from the mean of all. Records that show a label are left out. */
static kith_status lose_variance(double *lost, const analysis *a, uint32_t j,
                                 const double *number_at, context *c, kith_error *error)
{
    const prepared_column *from = &a->data->columns[a->data->quasi[j]];
    const uint32_t *positions = a->shown.by_class.columns[j].positions;
    double sum = 0, within = 0, all = 0;
    uint32_t at, n = 0;
    TRY(assess_find_column(&at, a->texts, from->study->name, error));
    const column *released = &a->texts->columns[at];
    double *values = TRY_ARRAY(values, c->memory, a->shown.by_class.n_records, error);
    for (uint32_t i = 0; i < a->shown.by_class.n_records; i++) {
        double mean;
        if (positions[i] == QUERY_NO_VALUE ||
            !assess_mean(&mean, from, &released->values, released->codes[i]))
            continue;
        values[n] = number_at[positions[i]];
        sum += values[n];
        within += (values[n] - mean) * (values[n] - mean);
        n++;
    }
    for (uint32_t i = 0; i < n; i++)
        all += (values[i] - sum / n) * (values[i] - sum / n);
    *lost = all > 0 ? within / all : 0;
    return KITH_OK;
}

static kith_status assess_one(number_report *to, const analysis *a, uint32_t j, context *c,
                              kith_error *error)
{
    const uint32_t n_leaves = a->shown.by_class.columns[j].n_leaves;
    const analysis_column *counted = &a->columns[j];
    double *number_at;
    size_t n_numbers = 0;
    TRY(assess_numbers(&number_at, a->data, j, c, error));
    const size_t room = n_leaves > counted->n_texts ? n_leaves : counted->n_texts + (size_t)1;
    counted_number *numbers = TRY_ARRAY(numbers, c->memory, room, error);
    for (uint32_t i = 0; i < n_leaves; i++)
        if (counted->records[i] > 0 && !isnan(number_at[i]))
            numbers[n_numbers++] = (counted_number){number_at[i], counted->records[i]};
    statistics_make(&to->before, numbers, n_numbers);
    n_numbers = count_released(numbers, a, j, number_at);
    statistics_make(&to->after, numbers, n_numbers);
    to->lost_variance = NAN;
    if (a->data->columns[a->data->quasi[j]].study->mean)
        TRY(lose_variance(&to->lost_variance, a, j, number_at, c, error));
    arena_release(c->memory, numbers, room * sizeof *numbers);
    return KITH_OK;
}

kith_status numbers_assess(numbers_report *report, const analysis *a, context *c, kith_error *error)
{
    const prepared *p = a->data;
    const uint32_t n = p->problem.n_attributes;
    *report = (numbers_report){.columns = arena_array(c->memory, n, sizeof *report->columns)};
    TRY_ALLOC(report->columns, error);
    for (uint32_t j = 0; j < n; j++) {
        const study_column *s = p->columns[p->quasi[j]].study;
        if (s->type != KITH_TYPE_INTEGER && s->type != KITH_TYPE_DECIMAL)
            continue;
        number_report *to = &report->columns[report->count++];
        to->name = s->name;
        TRY(assess_one(to, a, j, c, error));
    }
    return KITH_OK;
}

static void put_statistics(kith_document *d, document_node *parent, const char *key,
                           const statistics *s)
{
    static const char *const names[STATISTICS_QUANTILES] = {"q05", "q25", "median", "q75", "q95"};
    document_node *node = document_object(d, parent, key);
    document_put_count(d, node, "records", s->n_records);
    document_put_number(d, node, "mean", s->mean);
    document_put_number(d, node, "standard_deviation", s->deviation);
    for (size_t i = 0; i < STATISTICS_QUANTILES; i++)
        document_put_number(d, node, names[i], s->quantiles[i]);
}

void numbers_put(kith_document *d, document_node *root, const numbers_report *report)
{
    document_node *all = document_array(d, root, "statistics");
    for (uint32_t i = 0; i < report->count; i++) {
        document_node *one = document_object(d, all, NULL);
        document_put_text(d, one, "column", report->columns[i].name);
        put_statistics(d, one, "before", &report->columns[i].before);
        put_statistics(d, one, "after", &report->columns[i].after);
        if (!isnan(report->columns[i].lost_variance))
            document_put_number(d, one, "lost_variance", report->columns[i].lost_variance);
    }
}
