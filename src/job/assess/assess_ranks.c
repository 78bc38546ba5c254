/* The assessment of a release over ranks, where every rank has the rows of its own records:
 * questions about records are answered where these are, and rows move to where their classes are
 * complete. */
#include <string.h>

#include "core/run/ranks.h"
#include "core/error.h"
#include "job/assess/assess_internal.h"
#include "table/rows/code_numbers.h"
#include "table/table_unite.h"

static bool is_judged(const study_column *s, bool quasi)
{
    return s->role == (quasi ? ROLE_QUASI_IDENTIFYING : ROLE_SENSITIVE);
}

kith_status assess_unite(const kith_table **united, const kith_table *own, const assess_task *task,
                         context *c, kith_error *error)
{
    const prepared_column *label = assess_knows_data(task) ? assess_label_column(task->data) : NULL;
    bool *needed = TRY_ZEROS(needed, c->memory, own->n_columns, error);
    for (uint32_t i = 0; i < task->study->n_columns; i++) {
        const study_column *s = &task->study->columns[i];
        uint32_t at;
        if (!is_judged(s, true) && !is_judged(s, false) && (label == NULL || label->study != s))
            continue;
        TRY(assess_find_column(&at, own, s->name, error));
        needed[at] = true;
    }
    return table_unite(united, own, needed, c, error);
}

/* Records `first` and those that follow it. */
static kith_status take_records(prepared *some, kith_table *shown, const prepared *own,
                                const kith_table *texts, uint32_t first, uint32_t count,
                                arena *memory, kith_error *error)
{
    const problem *p = &own->problem;
    attribute *attributes = TRY_ARRAY(attributes, memory, p->n_attributes, error);
    sensitive_attribute *sensitive = TRY_ARRAY(sensitive, memory, p->n_sensitive, error);
    *some = *own;
    *shown = *texts;
    shown->columns = TRY_ARRAY(shown->columns, memory, texts->n_columns, error);
    for (uint32_t j = 0; j < p->n_attributes; j++) {
        attributes[j] = p->attributes[j];
        attributes[j].cells += first;
    }
    for (uint32_t i = 0; i < p->n_sensitive; i++) {
        sensitive[i] = p->sensitive[i];
        sensitive[i].values += first;
    }
    for (uint32_t i = 0; i < texts->n_columns; i++) {
        shown->columns[i] = texts->columns[i];
        shown->columns[i].codes += first;
    }
    some->rows += first;
    some->n_rows = some->problem.n_records = shown->n_rows = count;
    some->problem.attributes = attributes;
    some->problem.sensitive = sensitive;
    return KITH_OK;
}

/* What each step works on. */
typedef struct rank {
    assess_sums sums;
    assess_whole whole;
    const kith_table *texts; /* this rank's rows */
    kith_table judged;       /* their columns that models look at */
    uint32_t n_quasi;        /* the first of them */
    uint32_t n_persons;      /* whose the rows are is one more column; 0: it is not known */
    bool placed;             /* and their places are the last one */
    uint32_t n_added;        /* records that have been looked at */
    verify_report own;       /* classes of this rank's rows, if they are wanted */
} rank;

/* How many persons show each value, counted where all rows of a person are. */
static kith_status assess_ranks_count_persons(rank *r, context *c, kith_error *error)
{
    const uint32_t n_quasi = r->n_quasi, n = r->judged.n_columns - n_quasi;
    assess_whole found = {.n_rows = r->whole.n_rows};
    kith_table shown = r->judged, home;
    uint32_t *no_numbers = NULL;
    shown.n_columns = n;
    shown.columns = TRY_ARRAY(shown.columns, c->memory, n, error);
    shown.columns[0] = r->judged.columns[n_quasi + n - 1]; /* the person */
    memcpy(shown.columns + 1, r->judged.columns + n_quasi, (n - 1) * sizeof *shown.columns);
    TRY(code_rows_exchange_table(&home, &no_numbers, &shown, 1, 0, c, c->memory, error));
    const verify_persons persons = {.count = r->n_persons, .of_row = home.columns[0].codes};
    home.columns[0].codes = NULL;
    context lasting = *c;
    lasting.memory = r->sums.context->memory;
    TRY(assess_persons_with(&found, &persons, r->sums.task.study, &home, &lasting, error));
    const uint64_t **with = TRY_ZEROS(with, lasting.memory, r->judged.n_columns, error);
    memcpy(with + n_quasi, found.persons_with + 1, (n - 1) * sizeof *with);
    r->whole.persons_with = with;
    return KITH_OK;
}

/* Reads from the data to which persons this rank's rows belong, which only a run that makes the
 * release knows. */
static kith_status add_persons(rank *r, context *c, kith_error *error)
{
    const assess_task *task = &r->sums.task;
    const prepared *data = task->data;
    verify_persons own;
    if (task->study->n_unit == 0 || data == NULL || !(task->made || task->mapped))
        return KITH_OK;
    TRY(assess_persons(&own, task->study, data->original, data->rows, data->n_rows, c,
                       r->sums.context->memory, error));
    column *person = &r->judged.columns[r->judged.n_columns++];
    *person = (column){.name = "", .codes = own.of_row};
    person->values.count = r->n_persons = own.count;
    return assess_ranks_count_persons(r, c, error);
}

/* Two shares that are equally near to their bounds may differ: of these classes the first one is
 * told, and rows have their places with them. */
static kith_status add_places(rank *r, context *c, kith_error *error)
{
    const assess_task *task = &r->sums.task;
    const uint32_t n_ranks = ranks_count(c->ranks), n_rows = r->judged.n_rows;
    for (uint32_t i = 0; i < task->study->n_models; i++)
        r->placed = r->placed ||
                    (task->study->models[i].id == MODEL_DELTA_PRESENCE && assess_knows_data(task));
    if (!r->placed)
        return KITH_OK;
    uint64_t *rows = TRY_ZEROS(rows, c->memory, n_ranks, error), first = 0;
    rows[ranks_self(c->ranks)] = n_rows;
    TRY(ranks_sum(c->ranks, rows, n_ranks, error));
    for (uint32_t other = 0; other < ranks_self(c->ranks); other++)
        first += rows[other];
    column *place = &r->judged.columns[r->judged.n_columns++];
    *place = (column){.name = ""};
    place->codes = TRY_ARRAY(place->codes, r->sums.context->memory, n_rows, error);
    place->values.count = (uint32_t)r->whole.n_rows;
    for (uint32_t row = 0; row < n_rows; row++)
        place->codes[row] = (uint32_t)first + row;
    return KITH_OK;
}

/* Some more of this rank's records: it takes some memory for every one. */
static kith_status add_records(rank *r, context *c, kith_error *error)
{
    enum { BLOCK = 1 << 17 };
    const uint32_t first = r->n_added, left = r->texts->n_rows - first;
    prepared some;
    kith_table shown;
    verify_report report;
    loss_input in;
    r->n_added += left < BLOCK ? left : BLOCK;
    TRY(take_records(&some, &shown, r->sums.task.data, r->texts, first, r->n_added - first,
                     c->memory, error));
    TRY(assess_group(&report, &r->sums.task, &r->whole, &shown, c, error));
    return assess_add_records(&r->sums, &some, &shown, &report, &in, c, error);
}

static kith_status add_kl(rank *r, context *c, kith_error *error)
{
    loss_input in;
    TRY(assess_loss_input(&in, r->sums.task.data, r->texts, &r->own, r->sums.task.in_order, c,
                          error));
    return assess_kl(&r->sums.found.loss.kl, r->sums.task.data, &in, c, error);
}

/* A number that goes with each row: its label, unless a column that moves is the label, or, without
 * the data, its place. */
static kith_status number_rows(loss_input *in, const rank *r, context *c, kith_error *error)
{
    const assess_task *task = &r->sums.task;
    const uint32_t n = r->texts->n_rows;
    *in = (loss_input){.n_records = n, .n_labels = (uint32_t)r->whole.n_rows};
    if (assess_knows_data(task)) {
        const prepared_column *label = assess_label_column(task->data);
        return label == NULL || label->sensitive != PREPARE_NONE
                   ? KITH_OK
                   : assess_labels(in, task->data, r->texts, task->in_order, c, error);
    }
    uint32_t *place = TRY_ARRAY(place, c->memory, n, error);
    for (uint32_t row = 0; row < n; row++)
        place[row] = (uint32_t)task->first_row + row;
    in->label = place;
    return KITH_OK;
}

/* Judges the classes that come to this rank, each with all its rows. */
static kith_status add_classes(rank *r, context *c, kith_error *error)
{
    const assess_task *task = &r->sums.task;
    loss_input in;
    kith_table complete;
    verify_report report;
    TRY(number_rows(&in, r, c, error));
    uint32_t *numbers = (uint32_t *)in.label;
    TRY(code_rows_exchange_table(&complete, &numbers, &r->judged, r->n_quasi, in.n_labels, c,
                                 c->memory, error));
    in.label = numbers;
    in.n_records = complete.n_rows;
    const uint32_t *place = assess_knows_data(task) ? NULL : numbers;
    assess_whole whole = r->whole;
    verify_persons persons = {.count = r->n_persons};
    if (r->placed)
        place = complete.columns[--complete.n_columns].codes;
    if (r->n_persons > 0) {
        persons.of_row = complete.columns[--complete.n_columns].codes;
        whole.persons = &persons;
    }
    TRY(assess_models(&report, task, &whole, &complete, c, error));
    for (uint32_t i = 0; i < task->study->n_models && place != NULL; i++)
        if (report.verdict[i].judged)
            report.verdict[i].row = place[report.verdict[i].row];
    TRY(assess_add_models(&r->sums.found.verified, &report, task->study, c, error));
    if (!assess_knows_data(task))
        return KITH_OK;
    if (in.label == NULL)
        TRY(assess_labels(&in, task->data, &complete, task->in_order, c, error));
    TRY(assess_class_of(&in, &report, c, error));
    return assess_add_classes(&r->sums, &complete, &report, &in, c, error);
}

static kith_status add_originals(rank *r, context *c, kith_error *error)
{
    code_rows cells;
    prepared there = *r->sums.task.data;
    TRY(assess_originals(&cells, &there, c, error));
    if (there.problem.unit != NULL)
        there.problem.unit = cells.codes[there.problem.n_attributes];
    there.problem.n_records = cells.n_rows;
    if (r->n_persons == 0) { /* those of the release are not known: count records in both */
        there.problem.unit = NULL;
        there.n_units = 0;
    }
    return risk_add_before(&r->sums.found.risks.before, &there, cells.codes, NULL, cells.n_rows, c,
                           error);
}

/* What several classes of a person have in common. */
static kith_status cross_classes(rank *r, context *c, kith_error *error)
{
    const prepared *data = r->sums.task.data;
    const uint32_t n_rows = r->texts->n_rows, n_quasi = r->n_quasi;
    verify_report own;
    code_numbers numbers;
    double suppressed = 0; /* the class, from 1 */
    if (r->n_persons == 0 || data->problem.unit == NULL)
        return KITH_OK;
    TRY(assess_group(&own, &r->sums.task, &r->whole, r->texts, c, error));
    code_rows rows = {.n_rows = n_rows, .n_columns = n_quasi};
    uint32_t *n_codes = TRY_ARRAY(n_codes, c->memory, n_quasi, error);
    rows.codes = TRY_ARRAY(rows.codes, c->memory, n_quasi, error);
    rows.n_codes = n_codes;
    for (uint32_t j = 0; j < n_quasi; j++) {
        rows.codes[j] = r->judged.columns[j].codes;
        n_codes[j] = r->judged.columns[j].values.count + 1;
    }
    TRY(code_numbers_make(&numbers, &rows, c, c->memory, error));
    for (uint32_t row = 0; row < n_rows; row++)
        if (own.grouping->class_of[row] == own.suppressed_class)
            suppressed = numbers.of[row] + 1.0;
    TRY(ranks_largest(c->ranks, &suppressed, 1, c->memory, error));
    const classes all = {.count = numbers.count, .class_of = numbers.of};
    return intersections_count(&r->sums.found.intersections, data, &all,
                               suppressed > 0 ? (uint32_t)(suppressed - 1) : UINT32_MAX,
                               r->sums.context, error);
}

typedef kith_status step(rank *r, context *c, kith_error *error);

/* Each step with memory that is given back. */
static kith_status take(step *one, rank *r, kith_error *error)
{
    context c = *r->sums.context;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new_like(c.memory), error);
    c.memory = memory;
    return one(r, &c, error);
}

static kith_status add_all(rank *r, context *c, kith_error *error)
{
    const assess_task *task = &r->sums.task;
    TRY(take(add_persons, r, error));
    TRY(take(add_places, r, error));
    if (task->grouped || task->analyzed)
        TRY(assess_group(&r->own, task, &r->whole, r->texts, c, error));
    if (task->analyzed)
        TRY(take(add_kl, r, error));
    if (!assess_knows_data(task))
        return take(add_classes, r, error);
    do
        TRY(take(add_records, r, error));
    while (r->n_added < r->texts->n_rows);
    TRY(take(add_classes, r, error));
    TRY(take(cross_classes, r, error));
    return take(add_originals, r, error);
}

kith_status assess_ranks(assessment *found, const assess_task *task, const kith_table *texts,
                         context *c, kith_error *error)
{
    rank r = {.texts = texts};
    TRY(assess_open(&r.sums, task, &r.whole, c, error));
    /* The columns that models look at, quasi-identifiers first. */
    r.judged = *texts;
    r.judged.n_columns = 0;
    r.judged.columns =
        TRY_ARRAY(r.judged.columns, c->memory, task->study->n_columns + (size_t)2, error);
    for (int quasi = 1; quasi >= 0; quasi--) {
        for (uint32_t i = 0; i < task->study->n_columns; i++) {
            uint32_t at;
            if (!is_judged(&task->study->columns[i], quasi))
                continue;
            TRY(assess_find_column(&at, texts, task->study->columns[i].name, error));
            r.judged.columns[r.judged.n_columns++] = texts->columns[at];
        }
        if (quasi)
            r.n_quasi = r.judged.n_columns;
    }
    /* All rows of a release, and their texts. */
    const uint64_t **counts = TRY_ARRAY(counts, c->memory, r.judged.n_columns, error);
    r.whole = (assess_whole){.n_rows = r.judged.n_rows, .counts = counts};
    TRY(ranks_sum(c->ranks, &r.whole.n_rows, 1, error));
    if (r.whole.n_rows > UINT32_MAX)
        return error_set(error, KITH_INVALID, "a release of %llu rows cannot be assessed",
                         (unsigned long long)r.whole.n_rows);
    for (uint32_t i = 0; i < r.judged.n_columns; i++) {
        const column *of = &r.judged.columns[i];
        const size_t n = (size_t)of->values.count + 1;
        uint64_t *own = TRY_ZEROS(own, c->memory, n, error);
        for (uint32_t row = 0; row < r.judged.n_rows; row++)
            own[of->codes[row] == TABLE_MISSING ? of->values.count : of->codes[row]]++;
        TRY(ranks_sum(c->ranks, own, n, error));
        counts[i] = own;
    }
    TRY(assess_find_suppressed(&r.whole, task, texts, c, error));
    TRY(add_all(&r, c, error));
    TRY(assess_finish(found, &r.sums, error));
    found->verified.grouping = r.own.grouping;
    found->verified.suppressed_class = r.own.suppressed_class;
    return KITH_OK;
}

/* What a rank tells the others of its classes; verdicts follow. */
typedef struct told {
    bool holds;
    uint32_t n_rows, n_classes, smallest, suppressed;
    bool by_persons;
    uint32_t n_persons, smallest_persons;
    double largest_part;
    risk before, after;
} told;

kith_status assess_unite_sums(assess_sums *a, kith_error *error)
{
    context *c = a->context;
    verify_report *report = &a->found.verified, one;
    const uint32_t n_ranks = ranks_count(c->ranks), n_verdicts = assess_n_verdicts(a->task.study);
    const told own = {.holds = report->holds,
                      .n_rows = report->n_rows,
                      .n_classes = report->n_classes,
                      .smallest = report->smallest,
                      .suppressed = report->suppressed,
                      .by_persons = report->by_persons,
                      .n_persons = report->n_persons,
                      .smallest_persons = report->smallest_persons,
                      .largest_part = report->largest_part,
                      .before = a->found.risks.before,
                      .after = a->found.risks.after};
    const size_t n_bytes = sizeof own + n_verdicts * sizeof *report->verdict;
    ranks_bytes *all = TRY_ARRAY(all, c->memory, n_ranks, error);
    char *bytes = TRY_ALLOC(arena_alloc(c->memory, n_bytes), error);
    memcpy(bytes, &own, sizeof own);
    memcpy(bytes + sizeof own, report->verdict, n_verdicts * sizeof *report->verdict);
    TRY(ranks_gather(c->ranks, bytes, n_bytes, all, c->memory, error));
    TRY(verify_report_none(&one, n_verdicts, c->memory, error));
    TRY(verify_report_none(report, n_verdicts, c->memory, error));
    a->found.risks = (risk_report){0};
    for (uint32_t r = 0; r < n_ranks; r++) {
        /* Adds what a rank has told. */
        told theirs;
        memcpy(&theirs, all[r].bytes, sizeof theirs);
        memcpy(one.verdict, (const char *)all[r].bytes + sizeof theirs,
               n_verdicts * sizeof *one.verdict);
        one.holds = theirs.holds;
        one.n_rows = theirs.n_rows;
        one.n_classes = theirs.n_classes;
        one.smallest = theirs.smallest;
        one.suppressed = theirs.suppressed;
        one.by_persons = theirs.by_persons;
        one.n_persons = theirs.n_persons;
        one.smallest_persons = theirs.smallest_persons;
        one.largest_part = theirs.largest_part;
        risk_add(&a->found.risks.before, &theirs.before);
        risk_add(&a->found.risks.after, &theirs.after);
        TRY(assess_add_models(&a->found.verified, &one, a->task.study, a->context, error));
    }
    return assess_knows_data(&a->task) ? loss_counts_unite(&a->losses, c->ranks, error) : KITH_OK;
}
