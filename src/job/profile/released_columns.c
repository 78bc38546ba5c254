#include "job/profile/released_columns.h"

#include <string.h>

#include "core/text.h"
#include "job/profile/role_words.h"

enum { MIN_ROWS = 20, QUOTE_BYTES = 80 };

static const study_column *column_of(const kith_study *study, const char *name)
{
    for (uint32_t i = 0; i < study->n_columns; i++)
        if (strcmp(study->columns[i].name, name) == 0)
            return &study->columns[i];
    return NULL;
}

/* Amounts of money may all differ: sensitive columns are unique without naming anybody. */
static void warn_released(kith_findings *findings, const kith_study *study, const study_column *s,
                          const column_profile *p, uint32_t n_rows)
{
    char quoted[QUOTE_BYTES];
    text_quote(quoted, sizeof quoted, s->name, strlen(s->name));
    if (p->role == ROLE_IDENTIFYING)
        findings_add(findings, KITH_SEVERITY_WARNING, study->path, s->line, 0,
                     "column %s is released as it is, but seems to identify people: %s", quoted,
                     p->why);
    else if (s->role == ROLE_INSENSITIVE && n_rows >= MIN_ROWS && p->unique >= 0.9 * n_rows)
        findings_add(findings, KITH_SEVERITY_WARNING, study->path, s->line, 0,
                     "column %s is released as it is, but %.0f%% of its values occur only once: "
                     "anyone who knows one finds the record",
                     quoted, 100.0 * p->unique / n_rows);
}

/* A number or code of people or their things; names of people may agree by chance. */
static bool tells_persons(const study_column *s, const column_profile *p)
{
    return (s == NULL || s->role == ROLE_IDENTIFYING) &&
           role_words_has(p->column->name, WORD_NAMING) &&
           !role_words_has(p->column->name, WORD_DIRECT) &&
           strcasecmp(p->column->name, "name") != 0;
}

/* The identifier with the most values says it: others may be of households or hospitals. */
static void warn_repeated(kith_findings *findings, const kith_study *study, const kith_table *table,
                          const column_profile *profiles)
{
    const column_profile *best = NULL;
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const column_profile *p = &profiles[i];
        if (tells_persons(column_of(study, p->column->name), p) &&
            (best == NULL || p->distinct > best->distinct))
            best = p;
    }
    if (best == NULL || best->distinct == 0)
        return;
    uint32_t n_values = table->n_rows - best->missing;
    if (best->distinct == n_values || n_values > 20.0 * best->distinct)
        return; /* so few values are not of persons */
    char quoted[QUOTE_BYTES];
    text_quote(quoted, sizeof quoted, best->column->name, strlen(best->column->name));
    findings_add(
        findings, KITH_SEVERITY_WARNING, table->source, 0, 0,
        "%u rows have %u different values of the identifying column %s: models count records, "
        "and a class of k records may have fewer than k different values of it",
        n_values, best->distinct, quoted);
}

void released_columns_warn(kith_findings *findings, const kith_study *study,
                           const kith_table *table, const column_profile *profiles)
{
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const study_column *s = column_of(study, table->columns[i].name);
        if (s != NULL && (s->role == ROLE_INSENSITIVE || s->role == ROLE_SENSITIVE))
            warn_released(findings, study, s, &profiles[i], table->n_rows);
    }
    warn_repeated(findings, study, table, profiles);
}
