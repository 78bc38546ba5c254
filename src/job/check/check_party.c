#include "job/check/check_party.h"

#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "core/text.h"
#include "study/holders.h"

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
    /* Nobody knows whose table is the largest, but this party may. */
    const protocol_options *o = &study->joint;
    if (o->protocol == PROTOCOL_WEAVE && o->partition == PARTITION_HORIZONTAL)
        findings_add(findings, KITH_SEVERITY_WARNING, table->source, 0, 0,
                     "%u rows: if these are most of the rows of all parties, the answers of the "
                     "joint tree tell this party of single records of others (in a test, by linear "
                     "programs: of 7 with 90%% of 5,000 rows, of none with a half or less)",
                     table->n_rows);
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
    uint32_t *first = TRY_ALLOC(arena_array(memory, n_ids, sizeof *first), error);
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
