#include "job/check/check.h"

#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"
#include "job/prepare/kept_rows.h"
#include "study/holders.h"

/* --- rows without values --- */

static bool is_read(const kith_study *study, const char *name)
{
    if (study->id_column != NULL && strcmp(study->id_column, name) == 0)
        return true;
    for (uint32_t i = 0; i < study->n_read; i++)
        if (strcmp(study->read[i].name, name) == 0)
            return true;
    return false;
}

kith_status check_empty(bool **row_empty, kith_findings *findings, const kith_study *study,
                        const kith_table *table, bool in_order, arena *memory, kith_error *error)
{
    kith_table read = *table;
    read.n_columns = 0;
    read.columns = TRY_ARRAY(read.columns, memory, table->n_columns + (size_t)1, error);
    for (uint32_t i = 0; i < table->n_columns; i++)
        if (is_read(study, table->columns[i].name))
            read.columns[read.n_columns++] = table->columns[i];
    bool *empty = TRY_ZEROS(empty, memory, table->n_rows, error);
    uint32_t count = 0, first = 0;
    for (uint32_t row = 0; row < table->n_rows && !in_order; row++) {
        empty[row] = kept_rows_is_empty(&read, row);
        first = empty[row] && count == 0 ? row : first;
        count += empty[row];
    }
    if (count > 0)
        findings_add(findings, KITH_SEVERITY_WARNING, table->source,
                     (size_t)table_source_line(table, first), 0,
                     "%u row%s without any value %s left out", count, count == 1 ? "" : "s",
                     count == 1 ? "is" : "are");
    *row_empty = empty;
    return KITH_OK;
}

/* --- models --- */

typedef struct model_check {
    const kith_study *study;
    const kith_table *table;
    const bool *left_out;
    kith_findings *findings;
    arena *memory;
} model_check;

/* l-diversity by frequency is infeasible if a value has more than 1/l of all records: then no
 * partition can satisfy it. */
static kith_status check_diversity(const model_check *k, const model_spec *m, uint32_t n_records,
                                   kith_error *error)
{
    uint32_t place = table_find(k->table, m->attribute), frequency = 0, code = 0;
    if (place == UINT32_MAX || n_records == 0)
        return KITH_OK; /* reported already */
    const column *c = &k->table->columns[place];
    /* The most frequent value and its count; a missing cell is a value like any other. */
    uint32_t *count = /* of each value, then of missing cells */
        TRY_ALLOC(arena_zalloc(k->memory, (size_t)c->values.count + 1, sizeof *count), error);
    for (uint32_t row = 0; row < k->table->n_rows; row++)
        if (!k->left_out[row])
            count[c->codes[row] == TABLE_MISSING ? c->values.count : c->codes[row]]++;
    code = 0;
    for (uint32_t i = 1; i <= c->values.count; i++)
        if (count[i] > count[code])
            code = i;
    frequency = count[code];
    if ((double)frequency * m->l <= (double)n_records)
        return KITH_OK;
    char wanted[32], quoted[80] = "";
    text_format_decimal(wanted, m->l);
    if (code < c->values.count)
        text_quote(quoted, sizeof quoted, dictionary_text(&c->values, code),
                   dictionary_length(&c->values, code));
    findings_add(k->findings, KITH_SEVERITY_PROBLEM, k->study->path, m->line, 0,
                 "l = %s cannot be met: '%s' is the %s of %u of %u records, so that at most "
                 "l = %.4g can be reached",
                 wanted, quoted, m->attribute, frequency, n_records,
                 (double)n_records / (double)frequency);
    return KITH_OK;
}

kith_status check_models(kith_findings *findings, const kith_study *study, const kith_table *table,
                         const bool *left_out, arena *memory, kith_error *error)
{
    const model_check k = {study, table, left_out, findings, memory};
    uint32_t n_records = 0;
    for (uint32_t row = 0; row < table->n_rows; row++)
        n_records += !left_out[row];
    if (n_records == 0)
        findings_add(findings, KITH_SEVERITY_PROBLEM, table->source, 0, 0, "%s",
                     table->n_rows == 0 ? "no records"
                                        : "every row lacks a value, and none is left");
    for (uint32_t i = 0; i < study->n_models; i++) {
        const model_spec *m = &study->models[i];
        if (m->variant == VARIANT_FREQUENCY && !m->by_units)
            TRY(check_diversity(&k, m, n_records, error));
        else if (m->id != MODEL_K_MAP && n_records > 0 && n_records < m->k)
            findings_add(findings, KITH_SEVERITY_PROBLEM, study->path, m->line, 0,
                         "k = %u cannot be met: %s has %u record%s", m->k, table->source, n_records,
                         n_records == 1 ? "" : "s");
    }
    return KITH_OK;
}

/* --- one party of a joint run --- */

enum { EXAMPLES = 3 }; /* rows that are listed for each kind of mistake */

kith_status check_party_find(const study_party **party, const kith_study *study, const char *name,
                             kith_error *error)
{
    uint32_t self = 0;
    TRY(holders_find(&self, study, name, error));
    if (self >= options_holders(&study->joint, study->n_parties))
        return error_set(error, KITH_INVALID, "party %s holds no data in this study", name);
    *party = &study->parties[self];
    return KITH_OK;
}

/* What is wrong with the identifiers of a table. */
typedef struct id_check {
    kith_findings *findings;
    const kith_table *table;
    const column *ids;
    size_t n_missing, n_repeated;
} id_check;

static void check_id(id_check *k, uint32_t row, uint32_t *first)
{
    const uint32_t code = k->ids->codes[row];
    char quoted[80];
    if (code == TABLE_MISSING) {
        if (k->n_missing++ < EXAMPLES)
            findings_add(k->findings, KITH_SEVERITY_PROBLEM, table_file(k->table, row),
                         (size_t)table_line(k->table, row), 0,
                         "missing value in column %s, by which rows are joined", k->ids->name);
        return;
    }
    if (first[code] == UINT32_MAX) {
        first[code] = row;
        return;
    }
    if (k->n_repeated++ >= EXAMPLES)
        return;
    text_quote(quoted, sizeof quoted, dictionary_text(&k->ids->values, code),
               dictionary_length(&k->ids->values, code));
    findings_add(k->findings, KITH_SEVERITY_PROBLEM, table_file(k->table, row),
                 (size_t)table_line(k->table, row), 0,
                 "the identifier '%s' is also in line %zu (column %s)", quoted,
                 (size_t)table_line(k->table, first[code]), k->ids->name);
}

kith_status check_party_rows(kith_findings *findings, const kith_study *study,
                             const kith_table *table, const bool *left_out, arena *memory,
                             kith_error *error)
{
    const uint32_t max_rows = study->joint.max_rows;
    if (max_rows > 0 && table->n_rows > max_rows)
        findings_add(findings, KITH_SEVERITY_PROBLEM, table->source, 0, 0,
                     "%u rows; the study allows a party %u (rows)", table->n_rows, max_rows);
    /* No party is known to have the largest table; this one may. */
    const protocol_options *o = &study->joint;
    if (o->protocol->most_rows != NULL && o->partition == PARTITION_HORIZONTAL)
        findings_add(findings, KITH_SEVERITY_WARNING, table->source, 0, 0,
                     "%u rows: if these are most of the rows of all parties, %s", table->n_rows,
                     o->protocol->most_rows);
    if (study->id_column == NULL || study->joint.ids_aligned)
        return KITH_OK;
    const uint32_t place = table_find(table, study->id_column);
    if (place == UINT32_MAX) {
        findings_add(findings, KITH_SEVERITY_PROBLEM, table->source, 0, 0,
                     "column '%s', by which rows are joined, is not there", study->id_column);
        return KITH_OK;
    }
    id_check k = {.findings = findings, .table = table, .ids = &table->columns[place]};
    const size_t n_ids = k.ids->values.count;
    uint32_t *first = TRY_ARRAY(first, memory, n_ids, error);
    memset(first, 0xff, n_ids * sizeof *first);
    for (uint32_t row = 0; row < table->n_rows; row++)
        if (!left_out[row])
            check_id(&k, row, first);
    if (k.n_missing > EXAMPLES)
        findings_add(k.findings, KITH_SEVERITY_PROBLEM, k.table->source, 0, 0,
                     "… and %zu more missing values in column %s", k.n_missing - EXAMPLES,
                     k.ids->name);
    if (k.n_repeated > EXAMPLES)
        findings_add(k.findings, KITH_SEVERITY_PROBLEM, k.table->source, 0, 0,
                     "… and %zu more rows with an identifier that another row has (column %s)",
                     k.n_repeated - EXAMPLES, k.ids->name);
    return KITH_OK;
}
