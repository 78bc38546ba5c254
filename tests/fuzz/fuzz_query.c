/* Queries: what parses is planned and evaluated on a small table. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "query/query_answer.h"
#include "query/query_local.h"

static const char *const age_texts[] = {"1", "2", "3", "4"};
static const double age_numbers[] = {1, 2, 3, 4};
static const char *const city_texts[] = {"bonn", "rome"};
static const double born_numbers[] = {0, 400};
static const char *const born_texts[] = {"1970-01-01", "1971-02-05"};

static const query_domain domains[] = {
    {"age", KITH_TYPE_INTEGER, NULL, 4, age_texts, age_numbers, NULL, 0},
    {"city", KITH_TYPE_STRING, NULL, 2, city_texts, NULL, NULL, 0},
    {"born", KITH_TYPE_DATE, "%Y-%m-%d", 2, born_texts, born_numbers, NULL, 0},
};

/* Two rows: one of intervals, one of single values; the last position of a domain is missing. */
static const uint32_t codes[] = {0, 1};
static const query_interval age[] = {{1, 4}, {2, 2}}, city[] = {{0, 1}, {1, 1}},
                            born[] = {{0, 0}, {2, 2}};
static const uint32_t *const code_list[] = {codes, codes, codes};
static const query_interval *const interval_list[] = {age, city, born};
static const uint32_t n_codes[] = {2, 2, 2};

static void answer(const query *q, arena *memory)
{
    const query_rows rows = {2, code_list, interval_list, n_codes};
    query_plan p;
    query_answer a;
    query_match *matches;
    uint32_t n;
    kith_error error;
    if (query_plan_make(&p, q, domains, 3, 2, memory, &error) != KITH_OK)
        return;
    if (!q->aggregate) {
        if (query_local_matches(&p, &matches, &n, &rows, memory, &error) == KITH_OK && n > 2)
            abort();
        return;
    }
    uint64_t *vector = arena_array(memory, query_plan_length(&p), sizeof *vector);
    double *numbers = arena_array(memory, query_plan_length(&p), sizeof *numbers);
    if (vector == NULL || numbers == NULL ||
        query_local_vector(&p, vector, &rows, memory, &error) != KITH_OK)
        return;
    query_plan_decode(&p, numbers, vector);
    if (query_answer_make(&a, &p, numbers, memory, &error) != KITH_OK)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena *memory = arena_new();
    query q;
    kith_error error;
    char *text = memory == NULL ? NULL : arena_strndup(memory, (const char *)data, size);
    if (text != NULL && query_parse(&q, text, memory, &error) == KITH_OK)
        answer(&q, memory);
    arena_free(memory);
    return 0;
}
