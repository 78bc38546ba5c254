/* The domains of a release, as the first site sends them to a querier: what is taken can be
 * queried. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <kith/study.h>

#include "job/query/virtual_domains.h"

static const char study_text[] = "study: made\n"
                                 "columns:\n"
                                 "  - {name: age, role: quasi-identifying, type: integer}\n"
                                 "  - {name: sex, role: sensitive}\n"
                                 "  - {name: born, role: insensitive, type: date}\n"
                                 "privacy: [{model: k-anonymity, k: 2}]\n";

static void ask(const virtual_table *t, arena *memory)
{
    static const char text[] = "SELECT count(*), max(age) WHERE sex = 'f' GROUP BY born";
    query q;
    query_plan plan;
    kith_error error;
    if (query_parse(&q, text, memory, &error) != KITH_OK)
        abort();
    if (query_plan_make(&plan, &q, t->domains, t->n_columns, 10, memory, &error) == KITH_OK &&
        query_plan_length(&plan) > QUERY_MAX_VECTOR)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kith_study *study;
    kith_error error;
    virtual_table *t = NULL;
    if (study == NULL &&
        kith_study_parse(&study, study_text, sizeof study_text - 1, ".", NULL, &error) != KITH_OK)
        abort();
    arena *memory = arena_new();
    unsigned char *copy = memory == NULL ? NULL : arena_alloc(memory, size == 0 ? 1 : size);
    if (copy != NULL) {
        memcpy(copy, data, size);
        if (virtual_domains_unpack(&t, study, copy, size, memory, &error) == KITH_OK && t != NULL)
            ask(t, memory);
    }
    arena_free(memory);
    return 0;
}
