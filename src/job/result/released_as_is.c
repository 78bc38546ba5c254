#include "job/result/released_as_is.h"

#include <string.h>

#include "core/error.h"

/* Records whose value no other record has. */
static uint64_t count_unique(const prepared *p, const prepared_column *col, uint64_t *counts)
{
    const column *c = &p->table->columns[col->source];
    uint64_t unique = 0;
    if (p->whole != NULL)
        memcpy(counts, p->whole_counts[col->source], c->values.count * sizeof *counts);
    for (uint32_t i = 0; p->whole == NULL && i < p->n_rows; i++)
        if (c->codes[p->rows[i]] != TABLE_MISSING)
            counts[c->codes[p->rows[i]]]++;
    for (uint32_t i = 0; i < c->values.count; i++)
        unique += counts[i] == 1;
    return unique;
}

kith_status released_as_is_put(kith_document *d, document_node *root, const prepared *p,
                               kith_error *error)
{
    const double n_rows = (double)prepare_whole_rows(p);
    document_node *list = document_array(d, root, "released_as_is");
    arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    for (uint32_t i = 0; i < p->n_columns; i++) {
        const study_column *s = p->columns[i].study;
        if (s->role != ROLE_SENSITIVE && s->role != ROLE_INSENSITIVE)
            continue;
        const size_t n_values = p->table->columns[p->columns[i].source].values.count;
        uint64_t *counts = TRY_ZEROS(counts, scratch, n_values + 1, error);
        const uint64_t unique = count_unique(p, &p->columns[i], counts);
        arena_release(scratch, counts, (n_values + 1) * sizeof *counts);
        document_node *one = document_object(d, list, NULL);
        document_put_text(d, one, "column", s->name);
        document_put_text(d, one, "role", s->role == ROLE_SENSITIVE ? "sensitive" : "insensitive");
        document_put_count(d, one, "unique_records", unique);
        document_put_number(d, one, "unique_share", n_rows == 0 ? 0 : (double)unique / n_rows);
    }
    return KITH_OK;
}

void released_as_is_warn(kith_document *d, document_node *warnings, const kith_findings *findings)
{
    if (findings == NULL)
        document_put_text(
            d, warnings, NULL,
            "columns that are released as they are were not searched for identifiers, "
            "because the table is not in the memory of one process: 'kith study "
            "check' does that");
    for (size_t i = 0; i < kith_findings_n_listed(findings); i++)
        document_put_text(d, warnings, NULL, findings_item(findings, i)->text);
}
