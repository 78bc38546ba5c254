/* Any bytes as a site's part of the virtual database, rows and companion: refused with a message,
 * or tables of which queries can be answered. A line with nothing but %% stands between the two. */
#include "support/fuzz_input.h"

#include "job/query/virtual_table.h"
#include "query/query_answer.h"
#include "query/query_local.h"

static const char study_text[] =
    "study: made\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10]},\n"
    "     domain: {range: [0, 99]}}\n"
    "  - {name: diagnosis, role: sensitive}\n"
    "  - {name: born, role: insensitive, type: date, format: '%d.%m.%Y'}\n"
    "privacy: [{model: k-anonymity, k: 2}]\n";

static void ask(const virtual_table *t, const char *text, arena *memory)
{
    query q;
    query_plan p;
    query_answer a;
    kith_error error;
    require(query_parse(&q, text, memory, &error) == KITH_OK);
    if (query_plan_make(&p, &q, t->domains, t->n_columns, 1 << 20, memory, &error) != KITH_OK)
        return;
    uint64_t *vector = arena_array(memory, query_plan_length(&p), sizeof *vector);
    double *numbers = arena_array(memory, query_plan_length(&p), sizeof *numbers);
    require(vector != NULL && numbers != NULL);
    require(query_local_vector(&p, vector, &t->rows, memory, &error) == KITH_OK);
    query_plan_decode(&p, numbers, vector);
    require(query_answer_make(&a, &p, numbers, memory, &error) == KITH_OK);
}

/* Where the companion begins. */
static const uint8_t *find_end(const uint8_t *data, size_t size)
{
    const uint8_t *found = size == 0 ? NULL : memmem(data, size, "%%\n", 3);
    return found == NULL ? data + size : found;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kith_study *study;
    virtual_table *t = NULL;
    kith_error error = {0};
    if (study == NULL)
        require(kith_study_parse(&study, study_text, strlen(study_text), ".", NULL, &error) ==
                KITH_OK);
    const uint8_t *end = find_end(data, size);
    const size_t rows = (size_t)(end - data), more = size - rows < 3 ? 0 : size - rows - 3;
    const char *path = fuzz_file("rows.csv", data, rows);
    fuzz_file("rows.csv_kith", more == 0 ? data : end + 3, more);
    const kith_status status = virtual_table_read(&t, path, study, NULL, &error);
    require(status == KITH_OK || (status == KITH_DATA && error.message[0] != '\0'));
    if (status == KITH_OK) {
        arena *memory = arena_new();
        ask(t, "SELECT count(*), sum(age), max(age) WHERE age >= 30", memory);
        ask(t, "SELECT count(*), min(born) WHERE diagnosis = 'flu' GROUP BY diagnosis", memory);
        arena_free(memory);
    }
    virtual_table_free(t);
    return 0;
}
