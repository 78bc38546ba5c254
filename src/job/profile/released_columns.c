#include "job/profile/released_columns.h"

#include <string.h>

#include "core/error.h"
#include "core/text.h"
#include "job/profile/profile.h"
#include "job/profile/role_words.h"

enum { MIN_ROWS = 20, QUOTE_BYTES = 80 };

/* What is looked at, and where findings go. */
typedef struct look {
    const kith_study *study;
    const kith_table *table;
    kith_findings *findings;
} look;

static const study_column *column_of(const kith_study *study, const char *name)
{
    const uint32_t i = study_find_column(study, name);
    return i == UINT32_MAX ? NULL : &study->columns[i];
}

/* Amounts of money may all differ: sensitive columns are unique without naming anybody. */
static void warn_released(const look *l, const study_column *s, const column_profile *p)
{
    const uint32_t n_rows = l->table->n_rows;
    char quoted[QUOTE_BYTES];
    text_quote(quoted, sizeof quoted, s->name, strlen(s->name));
    if (p->role == ROLE_IDENTIFYING)
        findings_add(l->findings, KITH_SEVERITY_WARNING, l->study->path, s->line, 0,
                     "column %s is released as it is, but seems to identify people: %s", quoted,
                     p->why);
    else if (s->role == ROLE_INSENSITIVE && n_rows >= MIN_ROWS && p->unique >= 0.9 * n_rows)
        findings_add(l->findings, KITH_SEVERITY_WARNING, l->study->path, s->line, 0,
                     "column %s is released as it is, but %.0f%% of its values occur only once: "
                     "anyone who knows one finds the record",
                     quoted, 100.0 * p->unique / n_rows);
}

bool released_columns_tell(const kith_study *study, const char *name)
{
    const study_column *s = column_of(study, name);
    if (study->n_unit > 0 || (s != NULL && s->role != ROLE_IDENTIFYING))
        return false; /* the study says whose rows are whose */
    if (role_words_person(name))
        return true;
    return (s != NULL || role_words_has(name, WORD_NAMING)) && strcasecmp(name, "name") != 0 &&
           !role_words_has(name, WORD_DIRECT) && !role_words_has(name, WORD_KNOWN);
}

/* Every column is told, also beside one in which no value repeats: that may count cases. */
static void warn_repeated(const look *l, const column *c)
{
    const uint32_t distinct = c->values.count;
    uint32_t n_values = 0;
    for (uint32_t row = 0; row < l->table->n_rows; row++)
        n_values += c->codes[row] != TABLE_MISSING;
    if (distinct == n_values || n_values > 20.0 * distinct)
        return; /* so few values are of hospitals and the like */
    char quoted[QUOTE_BYTES];
    text_quote(quoted, sizeof quoted, c->name, strlen(c->name));
    /* What it means that values of an identifying column repeat. */
    const kith_study *study = l->study;
    const char *then = study->unit_row ? "the study must not say that each row is a person"
                                       : "models must count people";
    if (!study_may_have_unit(study))
        findings_add(l->findings, KITH_SEVERITY_WARNING, l->table->source, 0, 0,
                     "%s: %u values in %u rows: if %s is a person, fewer people than a model "
                     "promises may stand behind a class, and this protocol cannot count people",
                     quoted, distinct, n_values, quoted);
    else
        findings_add(l->findings, KITH_SEVERITY_WARNING, l->table->source, 0, 0,
                     "%s: %u values in %u rows: if %s is a person, %s: unit: %s", quoted, distinct,
                     n_values, quoted, then, quoted);
}

void released_columns_warn_repeated(kith_findings *findings, const kith_study *study,
                                    const kith_table *table)
{
    const look l = {study, table, findings};
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (released_columns_tell(study, table->columns[i].name))
            warn_repeated(&l, &table->columns[i]);
}

kith_status released_columns_warn(kith_findings *findings, const kith_study *study,
                                  const kith_table *table, context *c, kith_error *error)
{
    const look l = {study, table, findings};
    for (uint32_t i = 0; i < table->n_columns; i++) {
        const study_column *s = column_of(study, table->columns[i].name);
        uint64_t *counts;
        column_profile p;
        if (s == NULL || (s->role != ROLE_INSENSITIVE && s->role != ROLE_SENSITIVE))
            continue;
        TRY(profile_counts(&counts, table, i, c, error));
        TRY(profile_column(&p, table, i, counts, c, error));
        profile_release(counts, &table->columns[i], c);
        warn_released(&l, s, &p);
    }
    released_columns_warn_repeated(findings, study, table);
    return KITH_OK;
}
