#include "job/profile/description.h"

#include <string.h>

#include "core/error.h"
#include "job/profile/guess_type.h"
#include "job/profile/unique_columns.h"
#include "job/profile/value_statistics.h"

static const study_column *study_column_of(const kith_study *study, const char *name)
{
    for (uint32_t i = 0; study != NULL && i < study->n_columns; i++)
        if (strcmp(study->columns[i].name, name) == 0)
            return &study->columns[i];
    return NULL;
}

/* Columns that a study does not mention count as identifying, since they are never released. */
kith_status description_put_column(kith_document *d, document_node *columns,
                                   const column_profile *p, const uint32_t *counts,
                                   const kith_study *study, uint32_t n_rows, arena *memory,
                                   kith_error *error)
{
    document_node *node = document_object(d, columns, NULL);
    document_put_text(d, node, "name", p->column->name);
    document_put_text(d, node, "type", guess_type_name(p->type));
    if (p->format != NULL && p->type == KITH_TYPE_DATE)
        document_put_text(d, node, "format", p->format);
    else if (p->format != NULL)
        document_put_text(d, node, "decimal", p->format[0] == ',' ? "comma" : "point");
    if (p->ambiguous)
        document_put_flag(d, node, "format_ambiguous", true);
    document_put_count(d, node, "distinct", p->distinct);
    document_put_count(d, node, "missing", p->missing);
    if (p->top != TABLE_MISSING) {
        document_node *top = document_object(d, node, "most_frequent");
        document_put_text(d, top, "value", dictionary_text(&p->column->values, p->top));
        document_put_count(d, top, "count", p->n_top);
        document_put_number(d, top, "share", (double)p->n_top / n_rows);
    }
    document_put_count(d, node, "unique_records", p->unique);
    document_put_number(d, node, "unique_share", n_rows == 0 ? 0 : (double)p->unique / n_rows);
    if (study != NULL) {
        const study_column *c = study_column_of(study, p->column->name);
        document_put_text(d, node, "role",
                          profile_role_name(c == NULL ? ROLE_IDENTIFYING : c->role));
    }
    document_put_text(d, node, "suggested_role", profile_role_name(p->role));
    document_put_text(d, node, "why", p->why);
    return value_statistics_put(d, node, p, counts, n_rows, memory, error);
}

bool description_is_quasi(const column_profile *p, const kith_study *study)
{
    const study_column *c = study_column_of(study, p->column->name);
    const role known = c == NULL ? ROLE_IDENTIFYING : c->role;
    return (study == NULL ? p->role : known) == ROLE_QUASI_IDENTIFYING;
}

kith_status description_put_quasi(kith_document *d, const class_counter *counter, uint32_t count,
                                  uint32_t n_rows, bool from_study, context *c, kith_error *error)
{
    document_node *node = document_object(d, document_root(d), "quasi_identifiers");
    document_node *names = document_array(d, node, "columns");
    for (uint32_t i = 0; i < count; i++)
        document_put_text(d, names, NULL, counter->names[i]);
    document_put_text(d, node, "from", from_study ? "study" : "suggestion");
    if (n_rows == 0 || count == 0)
        return KITH_OK;
    uint32_t *all = TRY_ALLOC(arena_array(c->memory, count, sizeof *all), error);
    class_counts found;
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    TRY(counter->count(counter->self, all, count, &found, error));
    document_put_count(d, node, "classes", found.classes);
    document_put_count(d, node, "smallest_class", found.smallest);
    document_put_number(d, node, "average_class", (double)n_rows / found.classes);
    document_put_count(d, node, "unique_records", found.unique);
    document_put_number(d, node, "unique_share", (double)found.unique / n_rows);
    document_node *risk = document_object(d, node, "risk");
    document_put_number(d, risk, "prosecutor_highest", 1.0 / found.smallest);
    document_put_number(d, risk, "prosecutor_average", (double)found.classes / n_rows);
    document_put_number(d, risk, "marketer", (double)found.classes / n_rows);
    return unique_columns_put(d, node, counter, count, n_rows, c, error);
}
