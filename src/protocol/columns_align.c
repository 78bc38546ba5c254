#include "protocol/columns_align.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "crypto/digest.h"
#include "protocol/leave_together.h"
#include "protocol/private_choices.h"
#include "smc/sets/sets.h"

static const message_type counts_type = {"align.counts", DISCLOSE_AGGREGATE}; /* message 1 */
static const message_type key_type = {"align.key", DISCLOSE_CONTROL};         /* message 2 */

enum { KEY = PRIVATE_CHOICES_BYTES, SHOWN = 3 };

/* What every party tells the others first. */
typedef struct counts {
    uint32_t n_rows;
    uint32_t repeated; /* identifiers that occur more than once */
    uint32_t aligned;
    uint32_t unused;
} counts;

/* A row to be sorted. */
typedef struct ranked {
    unsigned char rank[DIGEST_BYTES];
    uint32_t row;
} ranked;

static int by_rank(const void *a, const void *b, void *user)
{
    const ranked *x = a, *y = b;
    (void)user;
    int order = memcmp(x->rank, y->rank, sizeof x->rank);
    return order != 0 ? order : (x->row > y->row) - (x->row < y->row);
}

static void rank_row(ranked *r, const unsigned char key[KEY], const commute_key *id, uint32_t row)
{
    digest d;
    digest_init(&d, "kith order of records", sizeof r->rank);
    digest_part(&d, key, KEY);
    digest_part(&d, id[row].bytes, id[row].length);
    digest_final(&d, r->rank);
    r->row = row;
}

/* If `row` is the first one with its identifier, twin[row] becomes the second one, if there is one;
 * otherwise UINT32_MAX. Returns how many identifiers occur more than once. */
static uint32_t find_twins(uint32_t *twin, const ranked *sorted, uint32_t n_rows)
{
    uint32_t repeated = 0;
    for (uint32_t i = 0; i < n_rows; i++)
        twin[i] = UINT32_MAX;
    for (uint32_t i = 1, first = 0; i < n_rows; i++) {
        bool same = memcmp(sorted[first].rank, sorted[i].rank, sizeof sorted[i].rank) == 0;
        if (!same)
            first = i;
        else if (i == first + 1) {
            twin[sorted[first].row] = sorted[i].row;
            repeated++;
        }
    }
    return repeated;
}

/* "2 and 7, 4 and 9, …": the first pairs of rows, counted from 1. */
static void show_twins(char *text, size_t size, const uint32_t *twin, uint32_t n_rows)
{
    size_t length = 0;
    uint32_t shown = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < n_rows && shown <= SHOWN && length < size; i++) {
        if (twin[i] == UINT32_MAX)
            continue;
        if (shown++ == SHOWN)
            snprintf(text + length, size - length, ", …");
        else
            length += (size_t)snprintf(text + length, size - length, "%s%u and %u",
                                       length == 0 ? "" : ", ", i + 1, twin[i] + 1);
    }
}

/* Rows are shown only to the party that has them. */
static kith_status repeated_ids(party *p, uint32_t who, uint32_t count, const char *rows,
                                kith_error *error)
{
    bool mine = who == party_self(p);
    error_set(error, KITH_DATA, "%u identifier%s of %s occur%s more than once%s%s%s", count,
              count == 1 ? "" : "s", party_name(p, who), count == 1 ? "s" : "",
              mine ? " (rows " : "", mine ? rows : "", mine ? ")" : "");
    return error_hint(error, KITH_DATA, "an identifier may have one row per site");
}

static kith_status rows_differ(party *p, const counts *all, uint32_t a, uint32_t b,
                               kith_error *error)
{
    error_set(error, KITH_DATA, "%s has %u rows, %s has %u", party_name(p, a), all[a].n_rows,
              party_name(p, b), all[b].n_rows);
    return error_hint(error, KITH_DATA,
                      "ids: aligned is for the same rows in the same order at "
                      "all sites");
}

static kith_status unmatched_rows(party *p, const counts *all, uint32_t n_records,
                                  kith_error *error)
{
    for (uint32_t i = 0; i < party_count(p); i++) {
        if (all[i].n_rows == n_records)
            continue;
        const uint32_t without = all[i].n_rows - n_records;
        error_set(error, KITH_DATA, "%u row%s of %s %s no partner at some other site (%u %s)",
                  without, without == 1 ? "" : "s", party_name(p, i), without == 1 ? "has" : "have",
                  n_records, n_records == 1 ? "has" : "have");
        return error_hint(error, KITH_DATA, "unmatched: drop leaves such rows out");
    }
    return KITH_OK;
}

static kith_status exchange_counts(party *p, counts *all, counts mine, uint32_t max_rows,
                                   kith_error *error)
{
    const uint32_t self = party_self(p);
    void *theirs[PARTY_MAX];
    for (uint32_t i = 0; i < party_count(p); i++)
        theirs[i] = &all[i];
    all[self] = mine;
    TRY(party_exchange(p, &counts_type, &mine, theirs, sizeof mine, error));
    party_learns(p, DISCLOSE_AGGREGATE, "align.counts", 2 * (party_count(p) - UINT64_C(1)));
    for (uint32_t i = 0; i < party_count(p); i++)
        if (max_rows > 0 && all[i].n_rows > max_rows)
            return party_protocol_error(p, i, error, "has %u rows; the study allows a party %u",
                                        all[i].n_rows, max_rows);
    for (uint32_t i = 0; i < party_count(p); i++)
        if (all[i].aligned != mine.aligned || all[i].repeated > all[i].n_rows)
            return party_protocol_error(p, i, error, "aligns rows in another way than %s",
                                        party_name(p, self));
    return KITH_OK;
}

/* The key of the order, the same at all parties. */
static kith_status agree_on_key(party *p, unsigned char key[KEY], const columns_align_task *task,
                                kith_error *error)
{
    if (party_self(p) != 0)
        return party_recv(p, 0, &key_type, key, KEY, error);
    private_choices_key(key, task->choices, "order of records");
    if (task->seeded) {
        memset(key, 0, KEY);
        memcpy(key, &task->seed, sizeof task->seed);
    }
    return party_broadcast(p, &key_type, key, KEY, error);
}

static kith_status match(columns_align_result *r, party *p, const columns_align_task *task,
                         ranked *sorted, const counts *all, arena *memory, kith_error *error)
{
    unsigned char key[KEY];
    bool *common = TRY_ZEROS(common, memory, task->n_rows, error);
    TRY(agree_on_key(p, key, task, error));
    /* message 3 */
    TRY(sets_intersection(p, common, task->id, task->n_rows, task->max_rows, task->pool, error));
    uint32_t count = 0;
    for (uint32_t i = 0; i < task->n_rows; i++) {
        TRY(party_poll(p, error));
        if (common[i])
            rank_row(&sorted[count++], key, task->id, i);
    }
    TRY(smc_sort(p, sorted, count, sizeof *sorted, by_rank, NULL, error));
    r->row = TRY_ARRAY(r->row, memory, count, error);
    for (uint32_t i = 0; i < count; i++)
        r->row[i] = sorted[i].row;
    r->n_records = count;
    r->unmatched = task->n_rows - count;
    kith_status status = KITH_OK;
    if (r->n_records == 0)
        status =
            error_set(error, KITH_DATA,
                      "no identifier occurs at every site (compare how they are written: prefixes, "
                      "leading zeros)");
    else if (!task->drop_unmatched)
        status = unmatched_rows(p, all, r->n_records, error);
    if (status != KITH_OK)
        leave_together(p, &leave_together_word);
    return status;
}

kith_status columns_align(columns_align_result *result, party *p, const columns_align_task *task,
                          arena *memory, kith_error *error)
{
    counts all[PARTY_MAX] = {0}, mine = {.n_rows = task->n_rows, .aligned = task->id == NULL};
    char twins[80] = "";
    ranked *sorted = NULL;
    *result = (columns_align_result){0};
    const char *before = party_step(p, "align");
    if (task->id != NULL) {
        uint32_t *twin = TRY_ARRAY(twin, memory, task->n_rows, error);
        /* Sorted by a hash of identifiers: equal ones are adjacent, in row order. */
        const unsigned char key[KEY] = {0};
        sorted = TRY_ARRAY(sorted, memory, task->n_rows, error);
        for (uint32_t i = 0; i < task->n_rows; i++) {
            TRY(party_poll(p, error));
            rank_row(&sorted[i], key, task->id, i);
        }
        TRY(smc_sort(p, sorted, task->n_rows, sizeof *sorted, by_rank, NULL, error));
        mine.repeated = find_twins(twin, sorted, task->n_rows);
        show_twins(twins, sizeof twins, twin, task->n_rows);
    }
    TRY(exchange_counts(p, all, mine, task->max_rows, error));
    /* Unusable rows of some party are the same error at all parties. */
    kith_status status = KITH_OK;
    for (uint32_t i = 0; i < party_count(p) && status == KITH_OK; i++) {
        if (all[i].repeated > 0)
            status = repeated_ids(p, i, all[i].repeated, twins, error);
        else if (task->id == NULL && all[i].n_rows != all[0].n_rows)
            status = rows_differ(p, all, 0, i, error);
        else if (all[i].n_rows == 0)
            status = error_set(error, KITH_DATA, "%s has no rows", party_name(p, i));
    }
    if (status != KITH_OK)
        leave_together(p, &leave_together_word);
    TRY(status);
    if (task->id != NULL) {
        TRY(match(result, p, task, sorted, all, memory, error));
    } else {
        result->n_records = task->n_rows;
        result->row = TRY_ARRAY(result->row, memory, task->n_rows, error);
        for (uint32_t i = 0; i < task->n_rows; i++)
            result->row[i] = i;
    }
    party_step(p, before);
    return KITH_OK;
}
