#include "job/query/virtual_query.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

#include "core/error.h"
#include "job/query/virtual_domains.h"
#include "job/query/virtual_labels.h"
#include "query/query_local.h"
#include "smc/sets/mix_union.h"
#include "smc/sums/sum.h"

static const message_type text_type = {"query.text", DISCLOSE_CHOICE};
static const message_type key_type = {"query.key", DISCLOSE_CONTROL};
static const message_type release_type = {"query.release", DISCLOSE_CONTROL};

/* --- before anyone is called --- */

static kith_status check_query(const query *q, const kith_study *study, bool rows_allowed,
                               kith_error *error)
{
    if (q->from.text != NULL && strcmp(q->from.text, study->name) != 0)
        return query_refuse(error, q->from.place, "FROM takes the name of the study, %s, not %s",
                            study->name, q->from.text);
    if (!q->aggregate && !rows_allowed)
        return error_set(error, KITH_INVALID,
                         "the study allows no queries for rows: ask for count(*), sum, avg, min or "
                         "max, or let all sites agree on 'queries: {rows: true}'");
    return KITH_OK;
}

kith_status virtual_query_check(const char *text, const kith_study *study, bool rows_allowed,
                                kith_error *error)
{
    query q;
    query_plan plan;
    query_domain *domains;
    uint32_t n_domains;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    TRY(query_parse(&q, text, memory, error));
    TRY(check_query(&q, study, rows_allowed, error));
    TRY(virtual_domains_names(&domains, &n_domains, study, memory, error));
    return query_plan_make(&plan, &q, domains, n_domains, 1, memory, error);
}

/* --- steps --- */

/* 1. The text, with its length before it. */
static kith_status tell_query(const char **text, party *p, const virtual_query *q, arena *memory,
                              kith_error *error)
{
    uint32_t length = 0;
    if (party_self(p) == q->querier) {
        *text = q->text;
        length = (uint32_t)strlen(q->text);
        TRY(party_broadcast(p, &text_type, &length, sizeof length, error));
        return party_broadcast(p, &text_type, q->text, length, error);
    }
    TRY(party_recv(p, q->querier, &text_type, &length, sizeof length, error));
    if (length > QUERY_MAX_BYTES)
        return party_protocol_error(p, q->querier, error, "sent a query of %u bytes", length);
    char *received = TRY_ALLOC(arena_alloc(memory, (size_t)length + 1), error);
    TRY(party_recv(p, q->querier, &text_type, received, length, error));
    received[length] = '\0';
    party_learns(p, DISCLOSE_CHOICE, "query", 1);
    if (strlen(received) != length)
        return party_protocol_error(p, q->querier, error, "sent an invalid query");
    *text = received;
    return KITH_OK;
}

/* What a site answers on. A querier without rows sends zeros. */
typedef struct release_id {
    unsigned char id[VIRTUAL_RELEASE_ID];
    uint64_t n_rows;
} release_id;

/* 2. All sites must have the same release. */
static kith_status compare_releases(release_id *release, party *p, const virtual_query *q,
                                    kith_error *error)
{
    release_id all[PARTY_MAX], *mine = &all[party_self(p)];
    void *theirs[PARTY_MAX];
    uint32_t first = UINT32_MAX;
    memset(all, 0, sizeof all);
    if (q->mine != NULL) {
        memcpy(mine->id, q->mine->id, sizeof mine->id);
        mine->n_rows = q->mine->about.n_rows;
    }
    for (uint32_t i = 0; i < party_count(p); i++)
        theirs[i] = &all[i];
    TRY(party_exchange(p, &release_type, mine, theirs, sizeof *mine, error));
    for (uint32_t i = 0; i < party_count(p); i++) {
        if (i == q->querier && q->mine == NULL && party_self(p) == i)
            continue;
        if (i == q->querier && memcmp(&all[i], &(release_id){0}, sizeof all[i]) == 0)
            continue;
        if (first == UINT32_MAX)
            first = i;
        if (memcmp(&all[i], &all[first], sizeof all[i]) != 0)
            return party_protocol_error(p, i, error, "answers on another release than %s",
                                        party_name(p, first));
    }
    if (first == UINT32_MAX || all[first].n_rows > (uint64_t)UINT32_MAX * PARTY_MAX)
        return error_set(error, KITH_PEER, "no site has rows of a release");
    *release = all[first];
    return KITH_OK;
}

static void note_left(const virtual_query *q, bool rows, uint64_t count)
{
    if (q->left == NULL)
        return;
    q->left->rows = rows;
    q->left->count = count;
}

/* 4. The vectors of all sites, at the querier. */
static kith_status add_vectors(query_answer *answer, party *p, const virtual_query *q,
                               const query_plan *plan, arena *memory, kith_error *error)
{
    const size_t n = query_plan_length(plan);
    const bool asks = party_self(p) == q->querier;
    uint64_t *vector = TRY_ZEROS(vector, memory, n, error);
    if (q->mine != NULL)
        TRY(query_local_vector(plan, vector, &q->mine->rows, memory, error));
    note_left(q, false, n);
    TRY(sum_masked(p, vector, vector, n, 0, q->querier, error));
    if (!asks)
        return KITH_OK;
    double *numbers = TRY_ARRAY(numbers, memory, n, error);
    query_plan_decode(plan, numbers, vector);
    for (uint32_t b = 0; b < plan->n_blocks; b++) {
        const double possible = numbers[b * plan->block + QUERY_POSSIBLE];
        if (!(possible >= 0 && possible <= (double)plan->max_rows))
            return error_set(error, KITH_PEER, "the sites' answers add up to impossible counts");
    }
    return query_answer_make(answer, plan, numbers, memory, error);
}

/* --- 5. rows --- */

static const double EXPECTED_SCALE = 1u << 30;

/* Rows are sealed for the querier under a key of its own for this query: the others unite and
 * shuffle what they cannot read. Wiped at the end. */
typedef struct seal {
    unsigned char open_key[crypto_box_PUBLICKEYBYTES], secret[crypto_box_SECRETKEYBYTES];
    size_t
        n_numbers; /* of a row: the codes of its cells, the expected share, whether it is certain */
} seal;

static size_t plain_bytes(const seal *s)
{
    return s->n_numbers * sizeof(uint32_t);
}

static size_t sealed_bytes(const seal *s)
{
    return plain_bytes(s) + crypto_box_SEALBYTES;
}

static kith_status tell_key(seal *s, party *p, const virtual_query *q, kith_error *error)
{
    if (party_self(p) != q->querier)
        return party_recv(p, q->querier, &key_type, s->open_key, sizeof s->open_key, error);
    crypto_box_keypair(s->open_key, s->secret);
    return party_broadcast(p, &key_type, s->open_key, sizeof s->open_key, error);
}

static kith_status pack_rows(mix_union_rows *packed, const seal *s, party *p,
                             const virtual_query *q, const query_plan *plan, arena *memory,
                             kith_error *error)
{
    query_match *matches = NULL;
    uint32_t n = 0;
    *packed = (mix_union_rows){0};
    if (q->mine == NULL)
        return KITH_OK;
    TRY(query_local_matches(plan, &matches, &n, &q->mine->rows, memory, error));
    uint32_t *numbers = TRY_ARRAY(numbers, memory, s->n_numbers, error);
    packed->bytes = TRY_ALLOC(arena_array(memory, n, sealed_bytes(s)), error);
    packed->count = n;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t *next = numbers;
        for (uint32_t k = 0; k < plan->q->n_items; k++)
            *next++ = q->mine->rows.codes[plan->measures[k].domain][matches[i].row];
        *next++ = (uint32_t)lround(matches[i].expected * EXPECTED_SCALE);
        *next++ = matches[i].certain;
        if (crypto_box_seal(packed->bytes + i * sealed_bytes(s), (const unsigned char *)numbers,
                            plain_bytes(s), s->open_key) != 0)
            return party_protocol_error(p, q->querier, error, "sent an invalid key");
        TRY(party_poll(p, error));
    }
    return KITH_OK;
}

static bool is_row(const uint32_t *numbers, const seal *s, const query_plan *plan,
                   const virtual_table *shown)
{
    for (uint32_t k = 0; k < plan->q->n_items; k++)
        if (numbers[k] >= shown->rows.n_codes[plan->measures[k].domain])
            return false;
    return numbers[s->n_numbers - 2] <= EXPECTED_SCALE && numbers[s->n_numbers - 1] <= 1;
}

static kith_status unite_sealed(query_answer *answer, seal *s, party *p, const virtual_query *q,
                                const query_plan *plan, const virtual_table *shown, arena *memory,
                                kith_error *error)
{
    mix_union_rows mine, all;
    /* Every party fills up to the number of all rows, so that nobody learns who has how many. */
    const mix_union_shape shape = {
        .row_bytes = sealed_bytes(s), .multiset = true, .capacity = plan->max_rows};
    TRY(tell_key(s, p, q, error));
    TRY(pack_rows(&mine, s, p, q, plan, memory, error));
    note_left(q, true, mine.count);
    TRY(mix_union(p, &all, &mine, shape, error));
    if (all.count > plan->max_rows)
        return error_set(error, KITH_PEER, "the sites sent more rows than the release has");
    if (party_self(p) != q->querier)
        return KITH_OK;
    /* It cannot be told which site sent a row that is invalid. */
    query_found_row *found = TRY_ARRAY(found, memory, all.count, error);
    for (size_t i = 0; i < all.count; i++) {
        uint32_t *numbers = TRY_ARRAY(numbers, memory, s->n_numbers, error);
        if (crypto_box_seal_open((unsigned char *)numbers, all.bytes + i * sealed_bytes(s),
                                 sealed_bytes(s), s->open_key, s->secret) != 0 ||
            !is_row(numbers, s, plan, shown))
            return error_set(error, KITH_PEER, "one of the rows is invalid");
        found[i] = (query_found_row){numbers, numbers[s->n_numbers - 2] / EXPECTED_SCALE,
                                     numbers[s->n_numbers - 1] != 0};
        TRY(party_poll(p, error));
    }
    party_learns(p, DISCLOSE_RELEASE, "rows", all.count);
    return query_answer_rows(answer, plan, found, (uint32_t)all.count, shown->cells,
                             shown->rows.intervals, memory, error);
}

static kith_status unite_rows(query_answer *answer, party *p, const virtual_query *q,
                              const query_plan *plan, const virtual_table *shown, arena *memory,
                              kith_error *error)
{
    seal s = {.n_numbers = plan->q->n_items + (size_t)2};
    kith_status status = unite_sealed(answer, &s, p, q, plan, shown, memory, error);
    sodium_memzero(&s, sizeof s);
    return status;
}

/* --- all steps --- */

/* To a site a query that cannot be answered is the querier's fault. */
static kith_status blame_querier(party *p, const virtual_query *q, kith_status status,
                                 kith_error *error)
{
    if (status != KITH_INVALID || party_self(p) == q->querier)
        return status;
    return party_protocol_error(p, q->querier, error, "asked something that is refused");
}

kith_status virtual_query_run(query_answer *answer, const char **asked, party *p,
                              const virtual_query *q, arena *memory, kith_error *error)
{
    virtual_table *view = NULL;
    virtual_query own = *q;
    if (q->mine != NULL && !q->querier_is_site) {
        /* To a client all sites answer from what the release shows, and from nothing else. */
        TRY(virtual_labels_view(&view, q->mine, q->study, memory, error));
        own.mine = view;
        q = &own;
    }
    const virtual_table *shown = q->mine;
    release_id release = {0};
    const char *text = NULL;
    query parsed;
    query_plan plan;
    *answer = (query_answer){0};
    const char *before = party_step(p, "query");
    TRY(tell_query(&text, p, q, memory, error));
    if (asked != NULL)
        *asked = text;
    kith_status status = query_parse(&parsed, text, memory, error);
    if (status == KITH_OK)
        status = check_query(&parsed, q->study, q->rows_allowed, error);
    TRY(blame_querier(p, q, status, error));
    TRY(compare_releases(&release, p, q, error));
    TRY(virtual_domains_tell(&shown, p, q, release.id, memory, error));
    TRY(blame_querier(p, q,
                      query_plan_make(&plan, &parsed, shown->domains, shown->n_columns,
                                      release.n_rows, memory, error),
                      error));
    TRY(parsed.aggregate ? add_vectors(answer, p, q, &plan, memory, error)
                         : unite_rows(answer, p, q, &plan, shown, memory, error));
    party_step(p, before);
    return KITH_OK;
}
