#include "job/rehearse/simulate.h"

#include "core/document.h"
#include "core/error.h"
#include "job/query/virtual_labels.h"
#include "job/query/virtual_query.h"
#include "query/query_local.h"
#include "wire/inproc.h"

kith_status simulate_query_check(const simulation *s, kith_error *error)
{
    if (s->options->query == NULL)
        return KITH_OK;
    if (!s->site_study->joint.virtual_rows)
        return error_set(error, KITH_INVALID,
                         "a query needs a virtual database: the study must say 'publish: virtual'");
    return virtual_query_check(s->options->query, s->site_study, true, error);
}

/* --- the sites and the client --- */

typedef struct query_endpoint {
    simulation *simulation;
    virtual_table *table; /* NULL: the client */
    arena *memory;
    query_answer answer;
} query_endpoint;

static kith_status take_part(party *p, void *user, kith_error *error)
{
    query_endpoint *endpoint = user;
    const simulation *s = endpoint->simulation;
    const virtual_query q = {.study = s->site_study,
                             .querier = s->n_parties,
                             .text = endpoint->table == NULL ? s->options->query : NULL,
                             .mine = endpoint->table,
                             .rows_allowed = true};
    return virtual_query_run(&endpoint->answer, NULL, p, &q, endpoint->memory, error);
}

static kith_status run_query(query_endpoint *endpoints, simulation *s, kith_error *error)
{
    const uint32_t n = s->n_parties + 1;
    arena *memory = s->context.memory;
    void **users = TRY_ARRAY(users, memory, n, error);
    kith_error *errors = TRY_ZEROS(errors, memory, n, error);
    for (uint32_t i = 0; i < n; i++) {
        endpoints[i].simulation = s;
        users[i] = &endpoints[i];
        if (i < s->n_parties)
            TRY(virtual_table_read(&endpoints[i].table, s->endpoints[i].rows, s->site_study,
                                   s->context.run, error));
        endpoints[i].memory = TRY_ALLOC(arena_new(), error);
    }
    /* Whether a query can be answered depends on the values of the release. The client would find
     * out as late as the sites, which may be first to end the run and to blame it. */
    query parsed;
    query_plan plan;
    virtual_table *view = NULL;
    TRY(query_parse(&parsed, s->options->query, s->context.memory, error));
    TRY(virtual_labels_view(&view, endpoints[0].table, s->site_study, s->context.memory, error));
    TRY(query_plan_make(&plan, &parsed, view->domains, view->n_columns, view->about.n_rows,
                        s->context.memory, error));
    kith_status status = inproc_run(n, NULL, NULL, take_part, users, errors);
    for (uint32_t i = 0; i < n && status != KITH_OK; i++)
        if (errors[i].status == status) {
            if (error != NULL)
                *error = errors[i];
            return status;
        }
    return status;
}

/* --- the exact answer --- */

/* A column of the whole table, as it was. */
static kith_status exact_column(query_domain *d, uint32_t **codes, query_interval **intervals,
                                uint32_t *n_codes, const prepared *p, const prepared_column *c,
                                arena *memory, kith_error *error)
{
    const column *from = &p->table->columns[c->source];
    const uint32_t n = from->values.count;
    const char **texts = TRY_ARRAY(texts, memory, n, error);
    *codes = TRY_ARRAY(*codes, memory, p->n_rows, error);
    *intervals = TRY_ARRAY(*intervals, memory, (size_t)n + 1, error);
    for (uint32_t v = 0; v < n; v++)
        texts[v] = dictionary_text(&from->values, v);
    for (uint32_t v = 0; v <= n; v++)
        (*intervals)[v] = (query_interval){v, v};
    for (uint32_t i = 0; i < p->n_rows; i++) {
        const uint32_t code = from->codes[p->rows[i]];
        (*codes)[i] = code == TABLE_MISSING ? n : code;
    }
    *n_codes = n + 1;
    *d = (query_domain){.name = c->study->name,
                        .type = c->study->type,
                        .date_format = c->study->date_format,
                        .n_values = n,
                        .texts = texts};
    return virtual_table_numbers(d, memory, error);
}

typedef struct exact {
    query parsed;
    query_plan plan;
    query_answer answer;
} exact;

/* Rows that satisfy the condition, as they are. */
static kith_status find_rows(exact *e, const query_rows *rows, const query_domain *domains,
                             uint32_t n_domains, arena *memory, kith_error *error)
{
    query_match *matches = NULL;
    uint32_t n = 0;
    const uint32_t n_items = e->parsed.n_items;
    TRY(query_local_matches(&e->plan, &matches, &n, rows, memory, error));
    query_found_row *found = TRY_ARRAY(found, memory, n, error);
    uint32_t *codes = TRY_ARRAY(codes, memory, (size_t)n * n_items, error);
    const char *const **texts = TRY_ALLOC(arena_array(memory, n_domains, sizeof *texts), error);
    for (uint32_t i = 0; i < n_domains; i++)
        texts[i] = domains[i].texts;
    for (uint32_t i = 0; i < n; i++) {
        found[i] = (query_found_row){codes + (size_t)i * n_items, 1, true};
        for (uint32_t k = 0; k < n_items; k++)
            codes[(size_t)i * n_items + k] =
                rows->codes[e->plan.measures[k].domain][matches[i].row];
    }
    return query_answer_rows(&e->answer, &e->plan, found, n, texts, rows->intervals, memory, error);
}

static kith_status answer_exactly(exact *e, simulation *s, arena *memory, kith_error *error)
{
    const prepared *p = &s->prepared;
    const uint32_t n = p->n_columns;
    query_domain *domains = TRY_ARRAY(domains, memory, n, error);
    uint32_t **codes = TRY_ARRAY(codes, memory, n, error);
    query_interval **intervals = TRY_ARRAY(intervals, memory, n, error);
    uint32_t *n_codes = TRY_ARRAY(n_codes, memory, n, error);
    for (uint32_t i = 0; i < n; i++)
        TRY(exact_column(&domains[i], &codes[i], &intervals[i], &n_codes[i], p, &p->columns[i],
                         memory, error));
    const query_rows rows = {p->n_rows, (const uint32_t *const *)codes,
                             (const query_interval *const *)intervals, n_codes};
    TRY(query_parse(&e->parsed, s->options->query, memory, error));
    TRY(query_plan_make(&e->plan, &e->parsed, domains, n, p->n_rows, memory, error));
    if (!e->parsed.aggregate)
        return find_rows(e, &rows, domains, n, memory, error);
    const size_t length = query_plan_length(&e->plan);
    uint64_t *vector = TRY_ARRAY(vector, memory, length, error);
    double *numbers = TRY_ARRAY(numbers, memory, length, error);
    TRY(query_local_vector(&e->plan, vector, &rows, memory, error));
    query_plan_decode(&e->plan, numbers, vector);
    return query_answer_make(&e->answer, &e->plan, numbers, memory, error);
}

/* --- both as a document --- */

static void put_value(kith_document *d, document_node *row, query_value v)
{
    switch (v.kind) {
    case QUERY_VALUE_NUMBER: document_put_number(d, row, NULL, v.number); break;
    case QUERY_VALUE_TEXT: document_put_text(d, row, NULL, v.text); break;
    default: document_put_null(d, row, NULL);
    }
}

/* Goes through the columns of one row; `row` NULL: puts the titles. */
static void put_columns(kith_document *d, document_node *to, const query_plan *plan,
                        const query_answer *a, const query_value *row, bool plain)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < plan->q->n_items; i++) {
        const query_item *item = &plan->q->items[i];
        const uint32_t n = item->function == QUERY_COLUMN ? 1 : QUERY_ANSWERS;
        const uint32_t only = plain && n > 1 ? QUERY_EXPECTED : UINT32_MAX;
        for (uint32_t k = 0; k < n; k++, at++) {
            if (only != UINT32_MAX && k != only)
                continue;
            if (row != NULL)
                put_value(d, to, row[at]);
            else
                document_put_text(d, to, NULL, only != UINT32_MAX ? item->title : a->titles[at]);
        }
    }
    for (; at < a->n_columns && !plain; at++) /* of rows: expected, certain */
        if (row != NULL)
            put_value(d, to, row[at]);
        else
            document_put_text(d, to, NULL, a->titles[at]);
}

/* Adds an answer under `key`: {"columns": ["…"], "rows": [[…], …]}. `plain`: it comes from data
 * that is not generalized, so the three numbers of an aggregate are one, and it has one column. */
static void put_answer(kith_document *d, document_node *parent, const char *key,
                       const query_plan *plan, const query_answer *answer, bool plain)
{
    document_node *all = document_object(d, parent, key);
    put_columns(d, document_array(d, all, "columns"), plan, answer, NULL, plain);
    document_node *rows = document_array(d, all, "rows");
    for (uint32_t i = 0; i < answer->n_rows; i++)
        put_columns(d, document_array(d, rows, NULL), plan, answer,
                    answer->values + (size_t)i * answer->n_columns, plain);
}

kith_status simulate_query(simulation *s, kith_document *d, document_node *root, kith_error *error)
{
    arena *memory = s->context.memory;
    exact *e = TRY_ZEROS(e, memory, 1, error);
    query_endpoint *endpoints = TRY_ZEROS(endpoints, memory, (size_t)s->n_parties + 1, error);
    double since = context_seconds();
    kith_status status = run_query(endpoints, s, error);
    const double seconds = context_lap(&since);
    if (status == KITH_OK)
        status = answer_exactly(e, s, memory, error);
    if (status == KITH_OK) {
        document_node *node = document_object(d, root, "query");
        document_put_text(d, node, "text", s->options->query);
        document_put_number(d, node, "seconds", seconds);
        put_answer(d, node, "answer", &e->plan, &endpoints[s->n_parties].answer, false);
        put_answer(d, node, "exact", &e->plan, &e->answer, true);
    }
    for (uint32_t i = 0; i <= s->n_parties; i++) {
        virtual_table_free(endpoints[i].table);
        if (endpoints[i].memory != NULL)
            arena_free(endpoints[i].memory);
    }
    return status;
}
