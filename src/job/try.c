/* kith_try: many settings on the same data, so that the user can choose one. */
#include <kith/kith.h>
#include <kith/try.h>
#include <math.h>
#include <string.h>

#include "core/document.h"
#include "core/error.h"
#include "core/options.h"
#include "job/try/try_plan.h"
#include "job/try/try_run.h"
#include "table/table_input.h"

/* What came of one way of reading the data. */
typedef struct reading {
    const kith_study *reader; /* the study for which it was read */
    const kith_table *table;  /* NULL: it could not be read */
    kith_error why;
} reading;

/* The tables that rows of a trial need. The data is read once for all studies that read the same
 * columns in the same way. */
typedef struct try_data {
    kith_input input;
    context *context;
    size_t count, capacity;
    reading *readings;
} try_data;

/* The state of one call. */
typedef struct trying {
    context context;
    try_plan plan;
    try_data data;
    try_row *rows; /* [plan.n_rows] */
    bool alike;    /* all studies measure the same, so that their objectives can be compared */
    const char *measure;
} trying;

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Does a table that was read for `a` have the cells that `b` asks for? */
static bool reads_alike(const kith_study *a, const kith_study *b)
{
    if (a->trim != b->trim || a->n_read != b->n_read || a->n_missing_values != b->n_missing_values)
        return false;
    for (uint32_t i = 0; i < a->n_read; i++)
        if (strcmp(a->read[i].name, b->read[i].name) != 0 || a->read[i].type != b->read[i].type ||
            !same_text(a->read[i].date_format, b->read[i].date_format))
            return false;
    for (uint32_t i = 0; i < a->n_missing_values; i++)
        if (strcmp(a->missing_values[i], b->missing_values[i]) != 0)
            return false;
    return true;
}

/* Standard input cannot be read twice. */
static kith_status read_table(try_data *data, reading *r, kith_error *error)
{
    const kith_table_options options = study_table_options(r->reader);
    const char *uri = data->input.uri;
    if (data->count > 0 && uri != NULL && strcmp(uri, "-") == 0)
        return error_set(error, KITH_INVALID,
                         "the studies read the data in different ways: it cannot come from "
                         "standard input");
    return table_input_read(&r->table, &data->input, &options, data->context->run,
                            data->context->memory, error);
}

/* The data as `study` reads it. `study` and the table live as long as the context. */
static kith_status find_table(const kith_table **table, try_data *data, const kith_study *study,
                              kith_error *error)
{
    size_t i = 0;
    while (i < data->count && !reads_alike(data->readings[i].reader, study))
        i++;
    if (i == data->count) {
        TRY_GROW(data->readings, data->capacity, i + 1, data->context->memory, error);
        data->readings[i] = (reading){.reader = study};
        data->readings[i].why.status = read_table(data, &data->readings[i], &data->readings[i].why);
        data->count++;
    }
    const reading *r = &data->readings[i];
    *table = r->table;
    if (r->why.status != KITH_OK && error != NULL)
        *error = r->why;
    return r->why.status;
}

static void free_study(void *study)
{
    kith_study_free(study);
}

/* Study and table of one row, or why it has none. Only failures that are not about the row are an
 * error. */
static kith_status prepare_row(trying *t, size_t index, kith_error *error)
{
    try_row *row = &t->rows[index];
    kith_study *study = NULL;
    kith_status status = try_plan_study(&study, &t->plan, index, &row->why);
    if (status == KITH_OK && !arena_defer(t->context.memory, free_study, study))
        return error_nomem(error);
    row->study = study;
    if (status == KITH_OK)
        status = find_table(&row->table, &t->data, study, &row->why);
    if (status == KITH_OK)
        return KITH_OK;
    row->outcome = try_run_outcome(status);
    if (row->outcome == TRY_REFUSED)
        return KITH_OK;
    if (error != NULL)
        *error = row->why;
    return status;
}

/* Do both minimize the same sum over the same quasi-identifiers? */
static bool measures_alike(const kith_study *a, const kith_study *b)
{
    if (a->measure != b->measure || a->w != b->w || a->n_columns != b->n_columns)
        return false;
    if (!same_text(a->class_column, b->class_column))
        return false;
    for (uint32_t i = 0; i < a->n_columns; i++)
        if (strcmp(a->columns[i].name, b->columns[i].name) != 0 ||
            a->columns[i].role != b->columns[i].role ||
            a->columns[i].weight != b->columns[i].weight)
            return false;
    return true;
}

static double loss_of(const trying *t, const try_row *row)
{
    return kith_document_number(row->summary, t->alike ? "objective" : "loss.lm", NAN);
}

static double risk_of(const try_row *row)
{
    return kith_document_number(row->summary, "risk.after.prosecutor_highest", NAN);
}

/* Is no other row at least as good in both, and better in one? */
static bool is_unbeaten(const trying *t, const try_row *row)
{
    double loss = loss_of(t, row), risk = risk_of(row);
    for (size_t i = 0; i < t->plan.n_rows; i++) {
        const try_row *other = &t->rows[i];
        if (other->outcome != TRY_RELEASED)
            continue;
        double l = loss_of(t, other), r = risk_of(other);
        if (l <= loss && r <= risk && (l < loss || r < risk))
            return false;
    }
    return true;
}

static void put_release(const trying *t, kith_document *d, document_node *to, const try_row *row)
{
    document_copy(d, to, "algorithm", row->summary, "algorithm");
    document_put_number(d, to, "loss", loss_of(t, row));
    document_copy(d, to, "lm", row->summary, "loss.lm");
    document_put_number(d, to, "risk_highest", risk_of(row));
    document_copy(d, to, "risk_mean", row->summary, "risk.after.prosecutor_average");
    document_copy(d, to, "records", row->summary, "records");
    document_copy(d, to, "classes", row->summary, "classes");
    document_copy(d, to, "smallest_class", row->summary, "smallest_class");
    document_copy(d, to, "suppressed", row->summary, "suppressed");
    if (kith_document_has(row->summary, "persons"))
        document_copy(d, to, "smallest_class_persons", row->summary, "smallest_class_persons");
    document_copy(d, to, "seconds", row->summary, "seconds.total");
    document_put_flag(d, to, "pareto", is_unbeaten(t, row));
}

static void put_row(const trying *t, kith_document *d, document_node *rows, size_t index)
{
    static const char *const outcomes[] = {[TRY_MISSING] = "missing",
                                           [TRY_RELEASED] = "released",
                                           [TRY_REFUSED] = "refused",
                                           [TRY_INFEASIBLE] = "infeasible",
                                           [TRY_FAILED] = "failed"};
    const try_row *row = &t->rows[index];
    document_node *to = document_object(d, rows, NULL);
    document_put_count(d, to, "row", index + 1);
    document_put_text(d, to, "study", try_plan_base(&t->plan, index)->path);
    document_node *values = document_array(d, to, "values");
    for (size_t i = 0; i < t->plan.n_sets; i++)
        document_put_text(d, values, NULL, try_plan_value(&t->plan, index, i));
    document_put_text(d, to, "outcome", outcomes[row->outcome]);
    if (row->outcome == TRY_RELEASED)
        put_release(t, d, to, row);
    else if (row->outcome != TRY_MISSING)
        document_put_text(d, to, "reason", row->why.message);
}

static kith_status try_describe(kith_document **result, const trying *t, kith_error *error)
{
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    bool missing = false;
    document_put_text(d, root, "kith", kith_version());
    document_put_text(d, root, "command", "try");
    document_put_count(d, root, "seed", t->context.seed);
    document_put_text(d, root, "measure", t->measure);
    document_node *keys = document_array(d, root, "keys");
    for (size_t i = 0; i < t->plan.n_sets; i++)
        document_put_text(d, keys, NULL, t->plan.sets[i].key);
    document_node *rows = document_array(d, root, "rows");
    size_t best = 0; /* the row, from 1, with the smallest loss, of equal ones the first */
    for (size_t i = 0; i < t->plan.n_rows; i++) {
        const try_row *row = &t->rows[i];
        put_row(t, d, rows, i);
        missing |= row->outcome == TRY_MISSING;
        if (row->outcome == TRY_RELEASED &&
            (best == 0 || loss_of(t, row) < loss_of(t, &t->rows[best - 1])))
            best = i + 1;
    }
    if (best > 0)
        document_put_count(d, root, "best", best);
    document_put_flag(d, root, "interrupted", missing);
    return document_finish(result, d, error);
}

/* Rows that ended are kept if others were stopped; but nothing hides a failure. */
static kith_status try_check_rows(const trying *t, kith_error *error)
{
    bool any = false;
    for (size_t i = 0; i < t->plan.n_rows; i++) {
        const try_row *row = &t->rows[i];
        any |= row->outcome != TRY_MISSING;
        if (row->outcome != TRY_FAILED)
            continue;
        if (error != NULL)
            *error = row->why;
        return row->why.status;
    }
    return any ? KITH_OK : error_set(error, KITH_CANCELLED, "stopped before any row was finished");
}

static kith_status try_all(trying *t, kith_document **result, const kith_study *const *studies,
                           size_t n_studies, const kith_try_options *options, kith_error *error)
{
    arena *memory = t->context.memory;
    TRY(try_plan_make(&t->plan, memory, studies, n_studies, options->sets, options->n_sets, error));
    t->data = (try_data){.context = &t->context};
    TRY(table_input_need(&t->data.input, options->input, "input", error));
    t->rows = TRY_ZEROS(t->rows, memory, t->plan.n_rows, error);
    for (size_t i = 0; i < t->plan.n_rows; i++)
        TRY(prepare_row(t, i, error));
    /* Objectives of different measures or weights cannot be compared; lm, which is computed for
     * every release, can. */
    const kith_study *first = NULL;
    t->alike = true;
    for (size_t i = 0; i < t->plan.n_rows; i++) {
        const kith_study *study = t->rows[i].study;
        if (study == NULL)
            continue;
        first = first == NULL ? study : first;
        t->alike = t->alike && measures_alike(first, study);
    }
    t->measure = first != NULL && t->alike ? measure_at(first->measure)->name : "lm";
    try_run(t->rows, t->plan.n_rows, &t->context);
    TRY(try_check_rows(t, error));
    return try_describe(result, t, error);
}

kith_status kith_try(kith_document **result, const kith_study *const *studies, size_t n_studies,
                     const kith_try_options *options, const kith_run *run, kith_error *error)
{
    kith_try_options own;
    trying t = {.rows = NULL};
    TRY(OPTIONS_TAKE(kith_try_options, n_sets, &own, options, error));
    TRY(context_init(&t.context, run, error));
    if (!t.context.run->seeded) /* the user may have to type it */
        t.context.seed &= UINT32_MAX;
    kith_status status = try_all(&t, result, studies, n_studies, &own, error);
    for (size_t i = 0; t.rows != NULL && i < t.plan.n_rows; i++)
        kith_document_free(t.rows[i].summary);
    context_wipe(&t.context);
    return status;
}

/* Would a file with this text in that directory be the same study? The digest covers the contents
 * of the hierarchies that it names. */
static kith_status check_place(const kith_study *study, const char *text, const char *directory,
                               kith_error *error)
{
    kith_study *there = NULL;
    if (study_made_column(study) != NULL)
        return error_set(error, KITH_INVALID,
                         "the hierarchy of column %s is in this program's memory, and not in the "
                         "text of the study",
                         study_made_column(study));
    kith_status status = kith_study_parse(&there, text, strlen(text), directory, NULL, error);
    bool same =
        status == KITH_OK && memcmp(there->digest, study->digest, sizeof study->digest) == 0;
    kith_study_free(there);
    if (same || status == KITH_NOMEM || status == KITH_IO)
        return status;
    status = error_set(error, KITH_INVALID,
                       "the study names files by relative paths, which lead elsewhere from %s",
                       directory);
    return error_hint(error, status, "save it next to the study that it comes from");
}

kith_status kith_try_study(char **text, const kith_study *const *studies, size_t n_studies,
                           size_t row, const char *directory, const kith_try_options *options,
                           kith_error *error)
{
    kith_try_options own;
    try_plan plan;
    *text = NULL;
    TRY(OPTIONS_TAKE(kith_try_options, n_sets, &own, options, error));
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    TRY(try_plan_make(&plan, memory, studies, n_studies, own.sets, own.n_sets, error));
    kith_study *study;
    const char *made;
    if (row < 1 || row > plan.n_rows)
        return error_set(error, KITH_INVALID, "there is no row %zu: rows are 1 to %zu", row,
                         plan.n_rows);
    TRY(try_plan_text(&made, &plan, row - 1, memory, error));
    TRY(try_plan_study(&study, &plan, row - 1, error));
    kith_status status = directory == NULL ? KITH_OK : check_place(study, made, directory, error);
    kith_study_free(study);
    TRY(status);
    *text = TRY_ALLOC(strdup(made), error);
    return KITH_OK;
}
