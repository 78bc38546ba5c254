/* kith_study_change: a study with other values and hierarchies. Values are set in its text, which
 * is then read as any other. */
#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/options.h"
#include "core/text.h"
#include "study/study.h"
#include "study/edit/study_edit.h"

typedef struct change {
    arena *memory;
    const kith_study *study;
    const kith_change_options *options;
    const char *text;        /* with the values that have been set so far */
    const char **paths;      /* [options->n_settings] in full */
    study_edit *places;      /* [options->n_settings] in the final text */
    kith_findings *findings; /* with places in the text, which the caller does not know */
} change;

/* "k" and "privacy.0.k" are the same key. */
static kith_status study_change_find_key(change *c, size_t index, kith_error *error)
{
    const kith_setting *settings = c->options->settings;
    const char *path = settings[index].path, *value = settings[index].value;
    char shown[TEXT_QUOTED], other[TEXT_QUOTED];
    c->paths[index] = path;
    if (text_utf8_error(path, strlen(path)) < strlen(path) ||
        text_utf8_error(value, strlen(value)) < strlen(value))
        return error_set(error, KITH_INVALID, "'%s' = '%s' is not UTF-8", text_quoted(shown, path),
                         text_quoted(other, value));
    TRY(study_edit_path(&c->paths[index], c->memory, c->text, path, error));
    for (size_t i = 0; i < index; i++)
        if (strcmp(c->paths[i], c->paths[index]) == 0)
            return error_set(error, KITH_INVALID, "'%s' and '%s' are the same key",
                             text_quoted(shown, settings[i].path), text_quoted(other, path));
    return KITH_OK;
}

/* Sets one value in the text. A key that cannot be set is a finding, and the others are still
 * looked at. */
static kith_status set_value(change *c, size_t index, kith_error *error)
{
    const kith_setting *setting = &c->options->settings[index];
    kith_error why = {.status = KITH_OK};
    study_edit edit;
    kith_status status = study_change_find_key(c, index, &why);
    if (status == KITH_OK)
        status = study_edit_set(&edit, c->memory, c->text, c->paths[index], setting->value, &why);
    if (status == KITH_OK)
        c->text = edit.text;
    if (status == KITH_NOMEM)
        return error_nomem(error);
    if (status != KITH_OK) {
        findings_add(c->findings, KITH_SEVERITY_PROBLEM, NULL, 0, 0, "%s%s%s", why.message,
                     why.hint[0] == '\0' ? "" : "; ", why.hint);
        findings_set_path(c->findings, kith_findings_n_listed(c->findings) - 1, setting->path);
    }
    return KITH_OK;
}

/* The hierarchies that the study has from an earlier change, and the new ones. */
static kith_status gather_hierarchies(const change *c, study_source *to, kith_error *error)
{
    const kith_column_hierarchy *given = c->options->hierarchies;
    const size_t n_given = c->options->n_hierarchies;
    kith_column_hierarchy *old, *all;
    size_t n_old;
    TRY(study_made_hierarchies(&old, &n_old, c->study, c->memory, error));
    all = TRY_ARRAY(all, c->memory, n_old + n_given, error);
    for (size_t i = 0; i < n_given; i++) {
        char shown[TEXT_QUOTED];
        for (size_t k = 0; k < i; k++)
            if (strcmp(given[k].column, given[i].column) == 0)
                return error_set(error, KITH_INVALID, "two hierarchies are given for column '%s'",
                                 text_quoted(shown, given[i].column));
        all[to->n_hierarchies++] = given[i];
    }
    for (size_t i = 0; i < n_old; i++) /* the first of a column counts */
        all[to->n_hierarchies++] = old[i];
    to->hierarchies = all;
    return KITH_OK;
}

static kith_status make_changed(kith_study **changed, change *c, kith_error *error)
{
    const size_t n = c->options->n_settings;
    c->text = c->study->text;
    c->paths = TRY_ARRAY(c->paths, c->memory, n, error);
    c->places = TRY_ZEROS(c->places, c->memory, n, error);
    for (size_t i = 0; i < n; i++)
        TRY(set_value(c, i, error));
    TRY(findings_status(c->findings, 0, KITH_INVALID, error));
    for (size_t i = 0; i < n; i++)
        TRY(study_edit_place(&c->places[i], c->memory, c->text, c->paths[i], error));
    study_source from = {.path = STUDY_IN_MEMORY,
                         .text = c->text,
                         .length = strlen(c->text),
                         .directory = c->study->directory};
    TRY(gather_hierarchies(c, &from, error));
    return study_make(changed, &from, c->findings, error);
}

/* The key that was set where the finding points to; else what stands there. */
static const char *path_of(const change *c, const kith_finding *f)
{
    for (size_t i = 0; c->places != NULL && i < c->options->n_settings; i++) {
        const study_edit *p = &c->places[i];
        if (f->line > 0 && f->line == p->line && f->column >= p->from && f->column <= p->to)
            return c->paths[i];
    }
    return f->path;
}

/* Findings without a place, since the user has not seen the text; the first problem becomes the
 * error. */
static kith_status hand_over(const change *c, kith_status status, kith_findings *to,
                             kith_error *error)
{
    const kith_finding *f;
    size_t before = kith_findings_n_problems(to);
    for (size_t i = 0; (f = findings_item(c->findings, i)) != NULL; i++) {
        size_t listed = kith_findings_n_listed(to);
        bool elsewhere = f->file != NULL && strcmp(f->file, STUDY_IN_MEMORY) != 0;
        findings_add(to, f->severity, elsewhere ? f->file : NULL, elsewhere ? f->line : 0,
                     elsewhere ? f->column : 0, "%s", f->text);
        if (!elsewhere && kith_findings_n_listed(to) > listed)
            findings_set_path(to, listed, path_of(c, f));
    }
    if (status == KITH_OK || status == KITH_NOMEM || kith_findings_n_problems(to) == before)
        return status;
    return findings_status(to, before, status, error);
}

kith_status kith_study_change(kith_study **changed, const kith_study *study,
                              const kith_change_options *options, kith_findings *findings,
                              kith_error *error)
{
    kith_change_options own;
    *changed = NULL;
    TRY(OPTIONS_TAKE(kith_change_options, n_hierarchies, &own, options, error));
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_findings *found FINDINGS_SCOPED = TRY_ALLOC(kith_findings_new(), error);
    kith_findings *spare FINDINGS_SCOPED = NULL;
    kith_findings *told = TRY_ALLOC(findings_or_own(findings, &spare), error);
    change c = {.memory = memory, .study = study, .options = &own, .findings = found};
    const kith_status status = make_changed(changed, &c, error);
    return status == KITH_NOMEM ? status : hand_over(&c, status, told, error);
}
