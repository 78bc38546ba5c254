/* The answer to a query on the rows of all sites in one table, without any protocol: script tests
 * compare it with what 'kith query' prints.
 * Usage: query_union STUDY TABLE QUERY [client]: as a party, or as a client would be answered */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/error.h"
#include "job/query/query_print.h"
#include "job/query/virtual_labels.h"
#include "query/query_local.h"

static kith_status find_rows(query_answer *a, const query_plan *plan, const virtual_table *t,
                             arena *memory, kith_error *error)
{
    query_match *matches = NULL;
    uint32_t n = 0;
    TRY(query_local_matches(plan, &matches, &n, &t->rows, memory, error));
    query_found_row *found = TRY_ALLOC(arena_array(memory, n, sizeof *found), error);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *codes = TRY_ALLOC(arena_array(memory, plan->q->n_items, sizeof *codes), error);
        for (uint32_t k = 0; k < plan->q->n_items; k++)
            codes[k] = t->rows.codes[plan->measures[k].domain][matches[i].row];
        /* As it is rounded when it is sent. */
        const double expected = round(matches[i].expected * 0x1p30) / 0x1p30;
        found[i] = (query_found_row){codes, expected, matches[i].certain};
    }
    return query_answer_rows(a, plan, found, n, t->cells, t->rows.intervals, memory, error);
}

static kith_status answer(char **text, const kith_study *study, const char *uri, const char *asked,
                          bool client, arena *memory, kith_error *error)
{
    query q;
    query_plan plan;
    query_answer a;
    virtual_table *whole, *t;
    kith_run run = KITH_INIT(kith_run);
    TRY(virtual_table_read(&whole, uri, study, &run, error));
    t = whole;
    if (client)
        TRY(virtual_labels_view(&t, whole, study, memory, error));
    TRY(query_parse(&q, asked, memory, error));
    TRY(query_plan_make(&plan, &q, t->domains, t->n_columns, t->about.n_rows, memory, error));
    if (q.aggregate) {
        const size_t length = query_plan_length(&plan);
        uint64_t *vector = TRY_ALLOC(arena_array(memory, length, sizeof *vector), error);
        double *numbers = TRY_ALLOC(arena_array(memory, length, sizeof *numbers), error);
        TRY(query_local_vector(&plan, vector, &t->rows, memory, error));
        query_plan_decode(&plan, numbers, vector);
        TRY(query_answer_make(&a, &plan, numbers, memory, error));
    } else {
        TRY(find_rows(&a, &plan, t, memory, error));
    }
    TRY(query_print(text, &a, QUERY_CSV, asked, error));
    virtual_table_free(whole);
    return KITH_OK;
}

int main(int argc, char **argv)
{
    kith_study *study = NULL;
    kith_error error = {0};
    char *text = NULL;
    arena *memory = arena_new();
    if (argc < 4 || argc > 5 || memory == NULL)
        return 2;
    kith_status status = kith_study_read(&study, argv[1], NULL, &error);
    if (status == KITH_OK)
        status = answer(&text, study, argv[2], argv[3], argc == 5, memory, &error);
    if (status == KITH_OK)
        fputs(text, stdout);
    else
        fprintf(stderr, "query_union: %s\n", error.message);
    free(text);
    kith_study_free(study);
    arena_free(memory);
    return status == KITH_OK ? 0 : 1;
}
