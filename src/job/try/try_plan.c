#include "job/try/try_plan.h"

#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"
#include "study/edit/study_edit.h"

/* Splits "3,5,10". */
static kith_status try_plan_read_values(try_set *s, arena *memory, const char *text,
                                        kith_error *error)
{
    size_t count = 1;
    char shown[TEXT_QUOTED];
    for (const char *c = text; *c != '\0'; c++)
        count += *c == ',';
    s->values = TRY_ARRAY(s->values, memory, count, error);
    for (const char *c = text;; c++) {
        size_t length = strcspn(c, ",");
        const char *value = TRY_ALLOC(arena_strndup(memory, c, length), error);
        if (length == 0)
            return error_set(error, KITH_INVALID, "'%s': a value is empty",
                             text_quoted(shown, s->key));
        for (size_t i = 0; i < s->n_values; i++)
            if (strcmp(s->values[i], value) == 0) {
                char other[TEXT_QUOTED];
                return error_set(error, KITH_INVALID, "'%s': the value '%s' is given twice",
                                 text_quoted(shown, s->key), text_quoted(other, value));
            }
        s->values[s->n_values++] = value;
        c += length;
        if (*c == '\0')
            return KITH_OK;
    }
}

static kith_status read_set(try_plan *plan, const char *text, kith_error *error)
{
    try_set *s = &plan->sets[plan->n_sets];
    const char *equals = strchr(text, '=');
    char shown[TEXT_QUOTED];
    if (equals == NULL || equals == text)
        return error_set(error, KITH_INVALID, "expected KEY=VALUE,VALUE…, found '%s'",
                         text_quoted(shown, text));
    if (text_utf8_error(text, strlen(text)) < strlen(text))
        return error_set(error, KITH_INVALID, "'%s' is not UTF-8", text_quoted(shown, text));
    *s = (try_set){.key = arena_strndup(plan->memory, text, (size_t)(equals - text))};
    TRY_ALLOC(s->key, error);
    for (size_t i = 0; i < plan->n_sets; i++)
        if (strcmp(plan->sets[i].key, s->key) == 0)
            return error_set(error, KITH_INVALID, "the key '%s' is given twice",
                             text_quoted(shown, s->key));
    TRY(try_plan_read_values(s, plan->memory, equals + 1, error));
    plan->n_sets++;
    plan->n_rows *= s->n_values;
    return plan->n_rows <= TRY_PLAN_ROWS
               ? KITH_OK
               : error_set(error, KITH_INVALID, "more than %d combinations", TRY_PLAN_ROWS);
}

/* Reads the study with the key once. Problems at the key itself mean that the study has no such
 * key; a value may be refused in one row and fit in another. */
static kith_status check_key(const try_plan *plan, const kith_study *base, const try_set *s,
                             const char *path, kith_error *error)
{
    study_edit edit;
    kith_study *made = NULL;
    TRY(study_edit_set(&edit, plan->memory, base->text, path, s->values[0], error));
    if (edit.line == 0)
        return KITH_OK;
    kith_findings *findings FINDINGS_SCOPED = TRY_ALLOC(kith_findings_new(), error);
    kith_status status = study_parse_like(&made, base, edit.text, findings, error);
    if (status == KITH_INVALID) {
        const kith_finding *f;
        status = KITH_OK;
        for (size_t i = 0; status == KITH_OK && (f = findings_item(findings, i)) != NULL; i++)
            if (f->severity == KITH_SEVERITY_PROBLEM && f->line == edit.line &&
                f->column >= edit.from && f->column < edit.to) {
                status = error_set(error, KITH_INVALID, "%s", f->text);
                error_hint(error, status,
                           "nested keys are written with dots: utility.suppression, privacy.0.k");
            }
    }
    kith_study_free(made);
    return status;
}

/* Finds the key in every study. The message names the study, because another may have the key. */
static kith_status try_plan_find_key(const try_plan *plan, try_set *s, kith_error *error)
{
    kith_error why = {.status = KITH_OK};
    s->paths = TRY_ARRAY(s->paths, plan->memory, plan->n_studies, error);
    for (size_t i = 0; i < plan->n_studies; i++) {
        const kith_study *base = plan->studies[i];
        kith_status status = study_edit_path(&s->paths[i], plan->memory, base->text, s->key, &why);
        if (status == KITH_OK)
            status = check_key(plan, base, s, s->paths[i], &why);
        if (status == KITH_OK)
            continue;
        status = error_set(error, status, "%s: %s", base->path, why.message);
        return why.hint[0] == '\0' ? status : error_hint(error, status, "%s", why.hint);
    }
    return KITH_OK;
}

kith_status try_plan_make(try_plan *plan, arena *memory, const kith_study *const *studies,
                          size_t n_studies, const char *const *sets, size_t n_sets,
                          kith_error *error)
{
    *plan = (try_plan){
        .memory = memory, .studies = studies, .n_studies = n_studies, .n_rows = n_studies};
    if (n_studies == 0)
        return error_set(error, KITH_INVALID, "there is no study to try");
    plan->sets = TRY_ARRAY(plan->sets, memory, n_sets, error);
    for (size_t i = 0; i < n_sets; i++)
        TRY(read_set(plan, sets[i], error));
    for (size_t i = 0; i < n_sets; i++)
        TRY(try_plan_find_key(plan, &plan->sets[i], error));
    for (size_t a = 0; a < n_sets; a++) /* "k" and "privacy.0.k" are the same key */
        for (size_t b = 0; b < a; b++)
            if (strcmp(plan->sets[a].paths[0], plan->sets[b].paths[0]) == 0)
                return error_set(error, KITH_INVALID, "'%s' and '%s' are the same key",
                                 plan->sets[b].key, plan->sets[a].key);
    return KITH_OK;
}

/* How many rows pass before the value of a set changes. */
static size_t stride(const try_plan *plan, size_t set)
{
    size_t rows = 1;
    for (size_t i = set + 1; i < plan->n_sets; i++)
        rows *= plan->sets[i].n_values;
    return rows;
}

static size_t base_index(const try_plan *plan, size_t row)
{
    return row / (plan->n_rows / plan->n_studies);
}

const kith_study *try_plan_base(const try_plan *plan, size_t row)
{
    return plan->studies[base_index(plan, row)];
}

const char *try_plan_value(const try_plan *plan, size_t row, size_t set)
{
    const try_set *s = &plan->sets[set];
    return s->values[row / stride(plan, set) % s->n_values];
}

kith_status try_plan_text(const char **text, const try_plan *plan, size_t row, arena *memory,
                          kith_error *error)
{
    *text = try_plan_base(plan, row)->text;
    for (size_t i = 0; i < plan->n_sets; i++) {
        study_edit edit;
        TRY(study_edit_set(&edit, memory, *text, plan->sets[i].paths[base_index(plan, row)],
                           try_plan_value(plan, row, i), error));
        *text = edit.text;
    }
    return KITH_OK;
}

kith_status try_plan_study(kith_study **study, const try_plan *plan, size_t row, kith_error *error)
{
    *study = NULL;
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_setting *settings = TRY_ARRAY(settings, scratch, plan->n_sets, error);
    for (size_t i = 0; i < plan->n_sets; i++)
        settings[i] = (kith_setting){plan->sets[i].paths[base_index(plan, row)],
                                     try_plan_value(plan, row, i)};
    const kith_change_options options =
        KITH_OPTIONS(kith_change_options, .settings = settings, .n_settings = plan->n_sets);
    return kith_study_change(study, try_plan_base(plan, row), &options, NULL, error);
}
