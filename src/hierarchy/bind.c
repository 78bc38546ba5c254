/* Hierarchies and the values of data: every value needs a leaf. */
#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/locate.h"
#include "hierarchy/repeated_findings.h"

/* What is bound, and what is needed to report values without a leaf. */
typedef struct subject {
    const kith_hierarchy *hierarchy;
    const dictionary *values;
    const char *source;
    const char *name;
    const kith_table *table; /* NULL: rows are not known */
    const column *column;
    repeated_findings tally;
} subject;

/* Line on which a value first occurs, 0 if that is not known. Only for findings that will be shown,
 * because it reads the file again. */
static size_t line_of(const subject *s, uint32_t code)
{
    if (s->table == NULL || s->tally.count >= REPEATED_FINDINGS_SHOWN)
        return 0;
    for (uint32_t row = 0; row < s->table->n_rows; row++)
        if (s->column->codes[row] == code)
            return (size_t)table_source_line(s->table, row);
    return 0;
}

/* Finds the leaf of each value and reports those without one, with the file of the hierarchy, which
 * is where a user would add the value. */
static kith_status bind_values(subject *s, uint32_t *leaf_of, arena *scratch, kith_error *error)
{
    if (leaf_of == NULL)
        leaf_of = TRY_ARRAY(leaf_of, scratch, s->values->count, error);
    uint32_t n_unknown;
    TRY(locate(s->hierarchy, s->values, leaf_of, &n_unknown, scratch, error));
    const char *file = s->hierarchy->file;
    for (uint32_t code = 0; code < s->values->count && n_unknown > 0; code++) {
        char value[80];
        if (leaf_of[code] != UINT32_MAX)
            continue;
        text_quote(value, sizeof value, dictionary_text(s->values, code),
                   dictionary_length(s->values, code));
        repeated_findings_add(&s->tally, line_of(s, code),
                              "'%s' is not in the hierarchy%s%s (column %s)", value,
                              file == NULL ? "" : " ", file == NULL ? "" : file, s->name);
    }
    return KITH_OK;
}

/* leaf_of may be NULL. */
static kith_status bind_subject(subject *s, uint32_t *leaf_of, kith_findings *findings,
                                kith_error *error)
{
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_findings *own FINDINGS_SCOPED = NULL;
    kith_findings *list = TRY_ALLOC(findings_or_own(findings, &own), error);
    size_t before = kith_findings_n_problems(list);
    s->tally =
        (repeated_findings){.findings = list, .file = s->source, .severity = KITH_SEVERITY_PROBLEM};
    kith_status status = bind_values(s, leaf_of, scratch, error);
    repeated_findings_end(&s->tally, "values that are not in the hierarchy");
    return status == KITH_OK ? findings_status(list, before, KITH_DATA, error) : status;
}

kith_status hierarchy_bind(const kith_hierarchy *hierarchy, const dictionary *values,
                           uint32_t *leaf_of, const char *source, const char *name,
                           kith_findings *findings, kith_error *error)
{
    subject s = {.hierarchy = hierarchy, .values = values, .source = source, .name = name};
    return bind_subject(&s, leaf_of, findings, error);
}

kith_status hierarchy_bind_column(const kith_hierarchy *hierarchy, const kith_table *table,
                                  uint32_t index, uint32_t *leaf_of, kith_findings *findings,
                                  kith_error *error)
{
    const column *c = &table->columns[index];
    subject s = {.hierarchy = hierarchy,
                 .values = &c->values,
                 .source = table->source,
                 .name = c->name,
                 .table = table,
                 .column = c};
    return bind_subject(&s, leaf_of, findings, error);
}

kith_status kith_hierarchy_check_values(const kith_hierarchy *hierarchy, const kith_table *table,
                                        size_t index, kith_findings *findings, kith_error *error)
{
    if (index >= table->n_columns)
        return error_set(error, KITH_INVALID, "there is no column %zu", index);
    return hierarchy_bind_column(hierarchy, table, (uint32_t)index, NULL, findings, error);
}
