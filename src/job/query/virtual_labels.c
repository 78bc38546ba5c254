#include "job/query/virtual_labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"
#include "study/holders.h"
#include "table/typed_value.h"
#include "verify/label_meaning.h"

/* The labels of one column while they are read. */
typedef struct reading {
    query_domain *domain;
    label_grammar grammar;
    hierarchy_spec ranges; /* of a release that shows ranges of values: first..last */
    bool may_miss;
    bool numbers; /* so far all labels but those of any value say numbers */
    query_label *labels;
    arena *memory;
    kith_error *error;
} reading;

bool virtual_labels_needed(const kith_study *study, const char *name)
{
    const uint32_t i = study_find_column(study, name);
    return i != UINT32_MAX && study->columns[i].role == ROLE_QUASI_IDENTIFYING &&
           !holders_public_values(study, i);
}

/* --- numbers and dates --- */

/* Days have no times unless the format has some. */
static double step_of(kith_type type, const char *date_format)
{
    if (type != KITH_TYPE_DATE)
        return type == KITH_TYPE_INTEGER;
    for (const char *at = date_format; at != NULL && (at = strchr(at, '%')) != NULL; at += 2)
        if (at[1] == '\0' || strchr("HIMSTRXcrspkl", at[1]) != NULL)
            return 1;
    return TYPED_VALUE_DAY;
}

/* The hull of everything that a label may mean. */
static void read_numbers(reading *r, query_label *l, const label_meaning *meaning)
{
    bool some = false;
    for (uint32_t i = 0; i < meaning->count; i++) {
        const label_part *p = &meaning->parts[i];
        if (p->kind != LABEL_WHOLE && p->kind != LABEL_DECIMAL)
            continue;
        const double low = p->kind == LABEL_WHOLE ? (double)p->low : p->from;
        double high = p->kind == LABEL_WHOLE ? (double)p->high : p->to;
        if (p->kind == LABEL_WHOLE && r->domain->step > 1) /* the last day, and not its end */
            high = low + floor((high - low) / r->domain->step) * r->domain->step;
        l->open = p->open && (!some || high > l->high);
        l->low = some ? fmin(l->low, low) : low;
        l->high = some ? fmax(l->high, high) : high;
        some = true;
    }
    r->numbers = r->numbers && some;
}

/* --- files --- */

/* A node of the file: its leaves, without the missing value. */
static kith_status read_node(reading *r, query_label *l, const kith_hierarchy *h,
                             const label_part *p)
{
    const bool missing_last = p->high > p->low && h->missing_leaf == (uint32_t)p->high - 1;
    l->kind = QUERY_LABEL_LIST;
    l->missing = h->missing_leaf >= p->low && h->missing_leaf < p->high;
    l->count = (uint32_t)(p->high - p->low) - missing_last;
    l->texts = h->label + p->low;
    if (r->domain->type == KITH_TYPE_STRING || l->count == 0)
        return KITH_OK;
    double *numbers = TRY_ALLOC(arena_array(r->memory, l->count, sizeof *numbers), r->error);
    l->low = HUGE_VAL;
    l->high = -HUGE_VAL;
    for (uint32_t i = 0; i < l->count; i++) {
        int64_t whole = 0;
        r->numbers = r->numbers &&
                     typed_value_parse(r->domain->type, r->domain->date_format, text_c_locale(),
                                       l->texts[i], strlen(l->texts[i]), &whole, &numbers[i]);
        if (r->domain->type != KITH_TYPE_DECIMAL)
            numbers[i] = (double)whole;
        l->low = fmin(l->low, numbers[i]);
        l->high = fmax(l->high, numbers[i]);
    }
    l->numbers = numbers;
    return KITH_OK;
}

/* --- a column --- */

static kith_status read_label(reading *r, query_label *l, const char *text)
{
    label_meaning meaning;
    const bool is_range = r->ranges.kind == HIERARCHY_ORDER && strstr(text, "..") != NULL;
    label_grammar grammar = r->grammar;
    *l = (query_label){.kind = QUERY_LABEL_RANGE};
    if (is_range) {
        grammar.hierarchy = &r->ranges;
        grammar.file = NULL;
    }
    TRY(label_meaning_read(&meaning, &grammar, text, r->memory, r->error));
    if (meaning.all || (meaning.count == 0 && grammar.file != NULL)) {
        l->kind = QUERY_LABEL_ANY;
        l->missing = r->may_miss;
        return KITH_OK;
    }
    if (grammar.file != NULL) /* then every label is a node */
        return read_node(r, l, grammar.file, &meaning.parts[0]);
    if (r->domain->type == KITH_TYPE_STRING) {
        l->from = l->to = text;
        for (uint32_t i = 0; i < meaning.count; i++) {
            const label_part *p = &meaning.parts[i];
            if (p->kind == LABEL_MASK) {
                l->kind = QUERY_LABEL_MASK;
                l->at_end = r->grammar.hierarchy->mask_left;
                l->from = p->text;
                l->least = (uint32_t)p->low;
                l->most = (uint32_t)p->high;
            } else if (p->kind == LABEL_TEXTS) {
                l->from = p->text;
                l->to = p->last;
            }
        }
    } else {
        read_numbers(r, l, &meaning);
    }
    return KITH_OK;
}

static kith_status read_labels(reading *r)
{
    query_domain *d = r->domain;
    for (uint32_t v = 0; v < d->n_values; v++)
        TRY(read_label(r, &r->labels[v], d->texts[v]));
    d->labels = r->labels;
    if (d->type == KITH_TYPE_STRING)
        return KITH_OK;
    if (!r->numbers) {
        d->type = KITH_TYPE_STRING;
        r->grammar.type = KITH_TYPE_STRING;
        return read_labels(r);
    }
    /* Labels that can be anything count as what lies between all others. */
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (uint32_t v = 0; v < d->n_values; v++)
        if (r->labels[v].kind != QUERY_LABEL_ANY) {
            low = fmin(low, r->labels[v].low);
            high = fmax(high, r->labels[v].high);
        }
    for (uint32_t v = 0; v < d->n_values; v++)
        if (r->labels[v].kind == QUERY_LABEL_ANY) {
            r->labels[v].unknown = low > high;
            r->labels[v].low = low > high ? 0 : low;
            r->labels[v].high = low > high ? 0 : high;
        }
    double *numbers = TRY_ALLOC(arena_array(r->memory, d->n_values, sizeof *numbers), r->error);
    for (uint32_t v = 0; v < d->n_values; v++)
        numbers[v] = r->labels[v].low + (r->labels[v].high - r->labels[v].low) / 2;
    d->numbers = numbers;
    return KITH_OK;
}

kith_status virtual_labels_read(query_domain *d, const kith_study *study, arena *memory,
                                kith_error *error)
{
    const uint32_t number = study_find_column(study, d->name);
    const study_column *s = &study->columns[number];
    const bool ranges = s->hierarchy.kind == HIERARCHY_ORDER || study->search.regions;
    label_index *index = NULL;
    if (s->hierarchy.kind == HIERARCHY_FILE && s->loaded != NULL)
        TRY(label_index_new(&index, memory, s->loaded, error));
    reading r = {.domain = d,
                 .grammar = {.type = s->type,
                             .date_format = s->date_format,
                             .hierarchy = &s->hierarchy,
                             .file = index == NULL ? NULL : s->loaded,
                             .labels = index},
                 .ranges = {.kind = ranges ? HIERARCHY_ORDER : HIERARCHY_SUPPRESS},
                 .may_miss = holders_may_miss(study, number),
                 .numbers = true,
                 .memory = memory,
                 .error = error};
    d->step = step_of(d->type, d->date_format);
    r.labels = TRY_ZEROS(r.labels, memory, d->n_values, error);
    return read_labels(&r);
}

/* --- the table as clients get to know it --- */

/* A label with its place in the order of values. */
typedef struct ordered {
    double low, high;
    const char *text;
    uint32_t code;
} ordered;

static int compare_ordered(const void *left, const void *right)
{
    const ordered *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return strcmp(a->text, b->text);
}

/* Makes the labels of a column its values, and every cell one of them. */
static kith_status show_labels(query_domain *d, query_interval *intervals, const char *const *cells,
                               uint32_t n_cells, const kith_study *study, arena *memory,
                               kith_error *error)
{
    ordered *all = TRY_ARRAY(all, memory, n_cells, error);
    const char **texts = TRY_ARRAY(texts, memory, n_cells, error);
    (void)virtual_table_name(d, d->name, study);
    for (uint32_t c = 0; c < n_cells; c++)
        if (cells[c] != NULL) {
            texts[d->n_values] = cells[c];
            all[d->n_values++] = (ordered){.text = cells[c], .code = c};
        }
    d->texts = texts;
    TRY(virtual_labels_read(d, study, memory, error));
    for (uint32_t v = 0; v < d->n_values; v++) {
        /* Where a label stands: by its numbers if it says some, labels of any value last, else by
         * its text. An order of the tree would tell more than the labels do. */
        const query_label *l = &d->labels[v];
        const bool any = l->kind == QUERY_LABEL_ANY;
        all[v].low = any ? HUGE_VAL : d->numbers == NULL ? 0 : l->low;
        all[v].high = any || d->numbers == NULL ? 0 : l->high;
    }
    qsort(all, d->n_values, sizeof *all, compare_ordered);
    const query_interval missing = {d->n_values, d->n_values};
    for (uint32_t c = 0; c < n_cells; c++)
        intervals[c] = missing;
    for (uint32_t v = 0; v < d->n_values; v++) {
        texts[v] = all[v].text;
        intervals[all[v].code] = (query_interval){v, v};
    }
    return virtual_labels_read(d, study, memory, error);
}

static kith_status show_column(virtual_table *view, query_interval **intervals, uint32_t j,
                               const kith_study *study, arena *memory, kith_error *error)
{
    query_domain *d = &view->domains[j];
    const uint32_t n = view->rows.n_codes[j];
    const uint32_t number = study_find_column(study, d->name);
    intervals[j] = TRY_ALLOC(arena_array(memory, n, sizeof **intervals), error);
    if (n > 0)
        memcpy(intervals[j], view->rows.intervals[j], n * sizeof **intervals);
    if (number == UINT32_MAX || study->columns[number].role != ROLE_QUASI_IDENTIFYING)
        return KITH_OK;
    if (virtual_labels_needed(study, d->name))
        return show_labels(d, intervals[j], view->cells[j], n, study, memory, error);
    /* Whether the root may stand for a missing value follows from the study, and not from whether
     * any site has one. */
    const kith_hierarchy *file = study->columns[number].loaded;
    const char *root = file == NULL ? "*" : hierarchy_root_label(file);
    const bool misses =
        holders_may_miss(study, number) || (file != NULL && file->missing_leaf != UINT32_MAX);
    for (uint32_t c = 0; c < n && d->n_values > 0; c++)
        if (view->cells[j][c] != NULL && strcmp(view->cells[j][c], root) == 0 &&
            intervals[j][c].first == 0)
            intervals[j][c].last = misses ? d->n_values : d->n_values - 1;
    return KITH_OK;
}

kith_status virtual_labels_view(virtual_table **out, const virtual_table *mine,
                                const kith_study *study, arena *memory, kith_error *error)
{
    const uint32_t n = mine->n_columns;
    virtual_table *view = TRY_ZEROS(view, memory, 1, error);
    query_interval **intervals = TRY_ARRAY(intervals, memory, n, error);
    *view = *mine;
    view->memory = NULL; /* not its own */
    view->domains = TRY_ARRAY(view->domains, memory, n, error);
    if (n > 0)
        memcpy(view->domains, mine->domains, n * sizeof *view->domains);
    for (uint32_t j = 0; j < n; j++)
        TRY(show_column(view, intervals, j, study, memory, error));
    view->rows.intervals = (const query_interval *const *)intervals;
    virtual_table_hash(view);
    *out = view;
    return KITH_OK;
}
