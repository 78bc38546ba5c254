/* kith_study_check: all contradictions between a study and its data in one go.
 *
 * The data is read as text once. Types and hierarchies are checked on the distinct values, so that
 * one bad cell does not hide the next. */
#include <string.h>

#include "core/run/context.h"
#include "core/error.h"
#include "core/options.h"
#include "core/findings.h"
#include "core/text.h"
#include "job/prepare/mean_scale.h"
#include "job/prepare/recode.h"
#include "job/prepare/units.h"
#include "job/profile/guess.h"
#include "job/profile/released_columns.h"
#include "job/check/check.h"
#include "study/yaml/did_you_mean.h"
#include "study/holders.h"
#include "study/study.h"
#include "study/edit/study_path.h"
#include "table/table_input.h"

enum { EXAMPLES = 3 }; /* bad values that are listed for each column */

/* The state of a check. Errors in study or data are findings, and the check goes on after them. */
typedef struct checker {
    const kith_study *study;
    const kith_table *table; /* all columns, as strings */
    kith_findings *findings;
    kith_run run;
    arena *memory;
    locale_t c_locale;
    const study_party *party; /* whose data it is; NULL: the whole table */
    bool *row_missing;        /* [n_rows] a quasi-identifying or sensitive cell is missing */
    bool *row_empty;          /* [n_rows] all cells that the study reads are missing */
    const column **found;     /* [study->columns] column of the table, NULL if it has none */
} checker;

/* Finds a column of the study in the table, or suggests a similar name. */
static void find_column(checker *k, uint32_t index)
{
    const study_column *c = &k->study->columns[index];
    uint32_t place = table_find(k->table, c->name);
    if (place != UINT32_MAX) {
        k->found[index] = &k->table->columns[place];
        return;
    }
    did_you_mean near = {.word = c->name};
    for (uint32_t i = 0; i < k->table->n_columns; i++)
        did_you_mean_offer(&near, k->table->columns[i].name);
    char quoted[80], hint[SIMILAR_BYTES];
    text_quote(quoted, sizeof quoted, c->name, strlen(c->name));
    findings_add(k->findings, KITH_SEVERITY_PROBLEM, k->study->path, c->line, 0,
                 "column '%s' is not in %s%s", quoted, k->table->source,
                 did_you_mean_format(&near, hint));
}

/* Line of the first row with this code. */
static size_t first_line(const checker *k, const column *c, uint32_t code)
{
    for (uint32_t row = 0; row < k->table->n_rows; row++)
        if (c->codes[row] == code)
            return (size_t)table_source_line(k->table, row);
    return 0;
}

/* True if all values are of the type that the study says. */
static bool check_type(checker *k, const study_column *s, const column *c)
{
    size_t wrong = 0;
    const dictionary *d = &c->values;
    for (uint32_t i = 0; i < d->count; i++) {
        if (guess_type_fits(dictionary_text(d, i), dictionary_length(d, i), s->type, s->date_format,
                            k->c_locale))
            continue;
        if (wrong++ >= EXAMPLES)
            continue;
        char quoted[80];
        text_quote(quoted, sizeof quoted, dictionary_text(d, i), dictionary_length(d, i));
        findings_add(k->findings, KITH_SEVERITY_PROBLEM, k->table->source, first_line(k, c, i), 0,
                     "'%s' is not %s %s (column %s)", quoted,
                     s->type == KITH_TYPE_INTEGER ? "an" : "a", guess_type_name(s->type), s->name);
    }
    if (wrong > EXAMPLES)
        findings_add(k->findings, KITH_SEVERITY_PROBLEM, k->table->source, 0, 0,
                     "… and %zu more values of column %s that are not of type %s", wrong - EXAMPLES,
                     s->name, guess_type_name(s->type));
    return wrong == 0;
}

/* The distinct values as a column of the study's type: hierarchies are bound to typed values. */
static kith_status typed_values(checker *k, const study_column *s, const column *c,
                                kith_table **typed, kith_error *error)
{
    const char **cells = TRY_ARRAY(cells, k->memory, c->values.count, error);
    for (uint32_t i = 0; i < c->values.count; i++)
        cells[i] = dictionary_text(&c->values, i);
    kith_column_spec spec = {s->name, s->type, s->date_format};
    static const char *const none[] = {NULL};
    kith_table_options options = KITH_OPTIONS(kith_table_options, .columns = &spec, .n_columns = 1,
                                              .missing_values = none, .n_missing_values = 0);
    return kith_table_from_cells(typed, cells, c->values.count, &options, error);
}

/* Adds the findings about a column's hierarchy. One without a file gets the line of the column in
 * the study. */
static void forward_findings(checker *k, const study_column *s, const kith_findings *found)
{
    for (size_t i = 0; i < kith_findings_n_listed(found); i++) {
        const kith_finding *f = findings_item(found, i);
        /* What a hierarchy file says about itself was told when the study was read. */
        if (s->loaded != NULL && s->hierarchy.path != NULL && f->file != NULL &&
            f->severity == KITH_SEVERITY_WARNING && strcmp(f->file, s->hierarchy.path) == 0)
            continue;
        if (f->file != NULL)
            findings_add(k->findings, f->severity, f->file, f->line, f->column, "%s", f->text);
        else
            findings_add(k->findings, f->severity, k->study->path, s->line, 0, "%s", f->text);
    }
}

/* Makes the hierarchy and looks for values that it does not have. */
static kith_status bind_values(checker *k, const study_column *s, const kith_table *typed,
                               kith_findings *found, kith_error *error)
{
    const dictionary *values = &typed->columns[0].values;
    kith_hierarchy *hierarchy;
    TRY(hierarchy_make(&hierarchy, k->memory, &s->hierarchy, &s->domain, values, false, found,
                       error));
    char wrong[STUDY_MESSAGE];
    if (study_wrong_level(s, hierarchy->tree.n_levels, wrong) != NULL)
        findings_add(found, KITH_SEVERITY_PROBLEM, NULL, 0, 0, "%s", wrong);
    uint32_t decimals;
    kith_error why = {.status = KITH_OK};
    if (s->mean && mean_scale_find(&decimals, values, s->name, &why) != KITH_OK)
        findings_add(found, KITH_SEVERITY_PROBLEM, NULL, 0, 0, "%s", why.message);
    return hierarchy_bind_column(hierarchy, typed, 0, NULL, found, error);
}

/* An error that is not a finding yet becomes one, so that the check goes on with other columns. */
static kith_status bind_column(checker *k, const study_column *s, const kith_table *typed,
                               kith_error *error)
{
    kith_findings *found FINDINGS_SCOPED = TRY_ALLOC(kith_findings_new(), error);
    kith_status status = bind_values(k, s, typed, found, error);
    const bool failed = status == KITH_NOMEM || status == KITH_IO;
    if (status != KITH_OK && !failed && kith_findings_n_problems(found) == 0)
        findings_add(found, KITH_SEVERITY_PROBLEM, NULL, 0, 0, "column %s: %s", s->name,
                     error->message);
    forward_findings(k, s, found);
    return failed ? status : KITH_OK;
}

/* The data as a table of this column alone, with the values that the hierarchy is for: typed, and
 * changed where the study changes them. `distinct` has a row for each text of the column. Rows are
 * those of the data, so that findings can name lines. */
static kith_status typed_column(kith_table *view, checker *k, const study_column *s,
                                const column *c, const kith_table *distinct, kith_error *error)
{
    const column *typed = &distinct->columns[0];
    column *one = TRY_ALLOC(arena_alloc(k->memory, sizeof *one), error);
    uint32_t *codes = TRY_ARRAY(codes, k->memory, k->table->n_rows, error);
    uint32_t *changed = TRY_ARRAY(changed, k->memory, typed->values.count, error);
    *one = *c;
    one->codes = codes;
    one->values = typed->values;
    for (uint32_t i = 0; i < typed->values.count; i++)
        changed[i] = i;
    if (recoding_is_number(&s->recoding))
        TRY(recode_numbers(&one->values, changed, &typed->values, &s->recoding, k->memory, error));
    for (uint32_t row = 0; row < k->table->n_rows; row++)
        codes[row] =
            c->codes[row] == TABLE_MISSING ? TABLE_MISSING : changed[typed->codes[c->codes[row]]];
    *view = *k->table;
    view->columns = one;
    view->n_columns = 1;
    return KITH_OK;
}

/* True if all numbers can be rounded as the study says. `distinct` is as above. */
static bool check_rounding(checker *k, const study_column *s, const column *c,
                           const kith_table *distinct)
{
    const column *typed = &distinct->columns[0];
    for (uint32_t i = 0; i < c->values.count; i++) {
        if (recode_fits(&s->recoding, &typed->values, typed->codes[i]))
            continue;
        findings_add(k->findings, KITH_SEVERITY_PROBLEM, k->table->source, first_line(k, c, i), 0,
                     RECODE_TOO_LARGE, dictionary_text(&c->values, i), s->recoding.round, s->name);
        return false;
    }
    return true;
}

/* Marks the rows with a missing cell in this column, and reports them if the study rejects them. */
static void note_missing(checker *k, const study_column *s, const column *c)
{
    size_t count = 0, line = 0;
    for (uint32_t row = 0; row < k->table->n_rows; row++) {
        if (c->codes[row] != TABLE_MISSING || k->row_empty[row])
            continue;
        k->row_missing[row] = true;
        if (count++ == 0 && k->study->missing == MISSING_REJECT)
            line = (size_t)table_source_line(k->table, row);
    }
    if (count > 0 && k->study->missing == MISSING_REJECT)
        findings_add(k->findings, KITH_SEVERITY_PROBLEM, k->table->source, line, 0,
                     "%zu missing value%s in column %s, and the study says missing: reject", count,
                     count == 1 ? "" : "s", s->name);
}

/* Checks one column. A hierarchy is checked only if the types are right: values of a wrong type
 * would all be reported a second time. */
static kith_status check_column(checker *k, uint32_t index, kith_error *error)
{
    const study_column *s = &k->study->columns[index];
    if ((s->role == ROLE_IDENTIFYING && !study_in_unit(k->study, index)) ||
        (k->party != NULL && !holders_have(k->party, index)))
        return KITH_OK;
    find_column(k, index);
    const column *c = k->found[index];
    if (c == NULL)
        return KITH_OK;
    if (s->role == ROLE_QUASI_IDENTIFYING || s->role == ROLE_SENSITIVE)
        note_missing(k, s, c);
    if (check_type(k, s, c)) {
        /* Changes the values as the study says, and binds them to their hierarchy, if they have
         * one. */
        const bool changes = recoding_is_number(&s->recoding),
                   binds = s->role == ROLE_QUASI_IDENTIFYING;
        kith_table *distinct = NULL, view;
        if (c->values.count == 0 || (!changes && !binds)) /* 0: all cells are missing */
            return KITH_OK;
        TRY(typed_values(k, s, c, &distinct, error));
        kith_status status = KITH_OK;
        if ((!changes || check_rounding(k, s, c, distinct)) && binds) {
            status = typed_column(&view, k, s, c, distinct, error);
            if (status == KITH_OK)
                status = bind_column(k, s, &view, error);
        }
        kith_table_free(distinct);
        return status;
    }
    return KITH_OK;
}

/* One site's rows cannot tell whether the models can be met: those of all sites count. */
static kith_status study_check_check_rows(checker *k, kith_error *error)
{
    bool *left_out = TRY_ARRAY(left_out, k->memory, k->table->n_rows, error);
    for (uint32_t row = 0; row < k->table->n_rows; row++)
        left_out[row] =
            k->row_empty[row] || (k->study->missing == MISSING_DROP && k->row_missing[row]);
    if (k->party != NULL)
        return check_party_rows(k->findings, k->study, k->table, left_out, k->memory, error);
    /* Columns of other parties are not in the table: then it is most likely one party's. */
    const kith_study *study = k->study;
    bool split = false, lacking = false;
    for (uint32_t i = 0; i < study->n_parties; i++)
        split |= study->parties[i].n_columns > 0;
    for (uint32_t i = 0; i < study->n_columns; i++)
        lacking |= study->columns[i].role != ROLE_IDENTIFYING && k->found[i] == NULL;
    if (split && lacking)
        findings_add(k->findings, KITH_SEVERITY_WARNING, study->path, 0, 0,
                     "the study splits the columns over its parties: to check the data of one of "
                     "them, say whose it is (--as %s)",
                     study->parties[0].name);
    return check_models(k->findings, k->study, k->table, left_out, k->memory, error);
}

/* Reads all columns, even those that the study does not name: similar names are looked for there.
 */
static kith_status check_data(checker *k, const kith_input *data, const char *as,
                              const kith_run *run, kith_error *error)
{
    if (as != NULL)
        TRY(check_party_find(&k->party, k->study, as, error));
    kith_table_options options = study_table_options(k->study);
    options.columns = NULL;
    options.n_columns = 0;
    TRY(options_take_run(&k->run, run, error));
    TRY(table_input_read(&k->table, data, &options, run, k->memory, error));
    size_t before = kith_findings_n_problems(k->findings);
    size_t first = kith_findings_n_listed(k->findings);
    k->row_missing = TRY_ZEROS(k->row_missing, k->memory, k->table->n_rows, error);
    k->found = TRY_ZEROS(k->found, k->memory, k->study->n_columns, error);
    TRY(check_empty(&k->row_empty, k->findings, k->study, k->table,
                    k->party != NULL && k->study->joint.ids_aligned, k->memory, error));
    for (uint32_t i = 0; i < k->study->n_columns; i++)
        TRY(check_column(k, i, error));
    TRY(study_check_check_rows(k, error));
    context c = {.memory = k->memory, .run = &k->run};
    units_warn(k->findings, k->study, k->table);
    TRY(released_columns_warn(k->findings, k->study, k->table, &c, error));
    study_path_tell(k->findings, first, k->study->path, k->study->text);
    return findings_status(k->findings, before, KITH_DATA, error);
}

kith_status kith_study_check(const kith_study *study, const kith_check_options *options,
                             const kith_run *run, kith_findings *findings, kith_error *error)
{
    kith_check_options own;
    kith_input data;
    TRY(OPTIONS_TAKE(kith_check_options, as, &own, options, error));
    TRY(table_input_need(&data, own.data, "data", error));
    kith_error ignored = {0};
    error = error != NULL ? error : &ignored;
    kith_findings *spare FINDINGS_SCOPED = NULL;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    findings = TRY_ALLOC(findings_or_own(findings, &spare), error);
    checker k = {.study = study,
                 .findings = findings,
                 .memory = memory,
                 .c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    if (k.c_locale == (locale_t)0)
        return error_nomem(error);
    const kith_status status = check_data(&k, &data, own.as, run, error);
    freelocale(k.c_locale);
    return status;
}
