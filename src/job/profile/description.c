#include "job/profile/description.h"

#include <string.h>

#include "core/error.h"
#include "job/profile/dependencies.h"
#include "job/profile/guess_type.h"
#include "job/profile/unique_columns.h"
#include "job/profile/value_statistics.h"

static const study_column *study_column_of(const kith_study *study, const char *name)
{
    const uint32_t i = study == NULL ? UINT32_MAX : study_find_column(study, name);
    return i == UINT32_MAX ? NULL : &study->columns[i];
}

/* Columns that a study does not mention count as identifying, since they are never released. */
static kith_status put_column(kith_document *d, document_node *columns, const column_profile *p,
                              const uint64_t *counts, const kith_study *study, arena *memory,
                              kith_error *error)
{
    const uint32_t n_rows = p->n_rows;
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
    return value_statistics_put(d, node, p, counts, memory, error);
}

static kith_status put_columns(column_profile **profiles, kith_document *d, const kith_table *table,
                               const kith_study *study, context *c, kith_error *error)
{
    const uint32_t n = table->n_columns;
    document_node *columns = document_array(d, document_root(d), "columns");
    *profiles = TRY_ALLOC(arena_zalloc(c->memory, n, sizeof **profiles), error);
    for (uint32_t i = 0; i < n; i++) {
        column_profile *p = &(*profiles)[i];
        uint64_t *counts;
        TRY(profile_counts(&counts, table, i, c, error));
        TRY(profile_column(p, table, i, counts, c, error));
        TRY(put_column(d, columns, p, counts, study, c->memory, error));
        profile_release(counts, &table->columns[i], c);
        if (!context_progress(c, "describe", (i + 1.0) / n))
            return error_set(error, KITH_CANCELLED, "interrupted");
    }
    return KITH_OK;
}

/* By the study, or without one by what its values suggest. */
static bool is_quasi(const column_profile *p, const kith_study *study)
{
    const study_column *c = study_column_of(study, p->column->name);
    const role known = c == NULL ? ROLE_IDENTIFYING : c->role;
    return (study == NULL ? p->role : known) == ROLE_QUASI_IDENTIFYING;
}

/* The classes of records that are equal in all quasi-identifiers, which are the columns of the
 * counter, and the risk that follows. */
static kith_status put_quasi(kith_document *d, class_counter *counter, bool from_study,
                             kith_error *error)
{
    const uint32_t count = counter->n_columns, n_rows = counter->n_rows;
    document_node *node = document_object(d, document_root(d), "quasi_identifiers");
    document_node *names = document_array(d, node, "columns");
    for (uint32_t i = 0; i < count; i++)
        document_put_text(d, names, NULL, counter->columns[i]->name);
    document_put_text(d, node, "from", from_study ? "study" : "suggestion");
    if (n_rows == 0 || count == 0)
        return KITH_OK;
    uint32_t *all = TRY_ALLOC(arena_array(counter->context->memory, count, sizeof *all), error);
    class_counts found;
    for (uint32_t i = 0; i < count; i++)
        all[i] = i;
    TRY(class_counter_count(counter, all, count, &found, error));
    document_put_count(d, node, "classes", found.classes);
    document_put_count(d, node, "smallest_class", found.smallest);
    document_put_number(d, node, "average_class", (double)n_rows / found.classes);
    document_put_count(d, node, "unique_records", found.unique);
    document_put_number(d, node, "unique_share", (double)found.unique / n_rows);
    document_node *risk = document_object(d, node, "risk");
    document_put_number(d, risk, "prosecutor_highest", 1.0 / found.smallest);
    document_put_number(d, risk, "prosecutor_average", (double)found.classes / n_rows);
    document_put_number(d, risk, "marketer", (double)found.classes / n_rows);
    return unique_columns_put(d, node, counter, error);
}

kith_status description_put(kith_document *d, const kith_table *table, const kith_study *study,
                            context *c, kith_error *error)
{
    column_profile *profiles = NULL;
    class_counter counter;
    document_node *root = document_root(d);
    uint64_t n_rows = table->n_rows;
    uint32_t n_quasi = 0;
    TRY(crew_sum(c->crew, &n_rows, 1, error));
    document_put_text(d, root, "data", table->source);
    document_put_count(d, root, "records", n_rows);
    TRY(put_columns(&profiles, d, table, study, c, error));
    if (profile_header_is_data(table, profiles))
        document_put_flag(d, root, "header_looks_like_data", true);
    TRY(dependencies_put(d, table, profiles, c, error));
    const column **quasi =
        TRY_ALLOC(arena_array(c->memory, table->n_columns, sizeof *quasi), error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (is_quasi(&profiles[i], study))
            quasi[n_quasi++] = &table->columns[i];
    TRY(class_counter_init(&counter, quasi, n_quasi, table->n_rows, (uint32_t)n_rows, c, error));
    TRY(put_quasi(d, &counter, study != NULL, error));
    return document_status(d, error);
}
