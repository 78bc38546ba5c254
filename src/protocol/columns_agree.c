#include "protocol/columns_agree.h"

#include <string.h>

#include "core/error.h"
#include "crypto/digest.h"
#include "search/class_rules.h"

static const message_type shape_type = {"vertical.shape", DISCLOSE_CONTROL}; /* message 4 */
/* All parties know the classes: the hash tells them nothing. */
static const message_type classes_type = {"vertical.classes", DISCLOSE_CONTROL}; /* message 5 */

/* --- first --- */

kith_status columns_agree_size(const problem *p, kith_error *error)
{
    if (p->n_records == 0)
        return error_set(error, KITH_INFEASIBLE, "no records to anonymize");
    if (p->n_records < p->k)
        return error_set(error, KITH_INFEASIBLE,
                         "only %u record%s: k-anonymity with k = %u cannot be met", p->n_records,
                         p->n_records == 1 ? "" : "s", p->k);
    return KITH_OK;
}

kith_status columns_agree_shape(party *p, const columns_task *task, kith_error *error)
{
    uint32_t mine[3] = {task->mine->n_records, task->mine->k, task->pivot};
    uint32_t theirs[PARTY_MAX][3] = {{0}};
    void *places[PARTY_MAX];
    for (uint32_t i = 0; i < party_count(p); i++)
        places[i] = theirs[i];
    TRY(party_exchange(p, &shape_type, mine, places, sizeof mine, error));
    for (uint32_t i = 0; i < party_count(p); i++) {
        if (i == party_self(p))
            continue;
        if (theirs[i][0] != mine[0])
            return party_protocol_error(p, i, error, "has %u common records, %s has %u",
                                        theirs[i][0], party_name(p, party_self(p)), mine[0]);
        if (theirs[i][1] != mine[1] || theirs[i][2] != mine[2])
            return party_protocol_error(p, i, error, "uses another k or pivot");
    }
    return KITH_OK;
}

/* --- last --- */

/* At the pivot: do all classes keep the models that look at sensitive values? */
static kith_status columns_agree_judge(bool *good, const columns_result *r, const problem *mine,
                                       arena *memory, party *p, kith_error *error)
{
    class_rules rules;
    TRY(class_rules_init(&rules, mine, memory, error));
    /* The records sorted by class; those of class c end before end[c]. */
    uint32_t *end = TRY_ARRAY(end, memory, r->n_classes, error), sum = 0;
    uint32_t *sorted = TRY_ARRAY(sorted, memory, mine->n_records, error);
    for (uint32_t c = 0; c < r->n_classes; c++) {
        end[c] = sum;
        sum += (uint32_t)r->size[c];
    }
    for (uint32_t i = 0; i < mine->n_records; i++)
        sorted[end[r->class_of[i]]++] = i;
    for (uint32_t c = 0; *good && c < r->n_classes; c++) {
        const uint32_t size = (uint32_t)r->size[c];
        TRY(party_poll(p, error));
        *good = class_rules_allow(&rules, sorted + end[c] - size, size);
    }
    return KITH_OK;
}

static kith_status check_classes(const columns_result *r, party *p, const columns_task *task,
                                 kith_error *error)
{
    const bool is_pivot = party_self(p) == task->pivot;
    const uint32_t least = is_pivot ? class_rules_min_size(task->mine) : task->mine->k;
    bool good = true;
    for (uint32_t c = 0; c < r->n_classes; c++)
        good &= r->size[c] >= least;
    if (good && is_pivot) {
        arena *scratch ARENA_SCOPED = TRY_ALLOC(arena_new_like(task->context->memory), error);
        TRY(columns_agree_judge(&good, r, task->mine, scratch, p, error));
    }
    if (good)
        return KITH_OK;
    return error_set(error, KITH_PEER,
                     "not all classes keep the models: a party has not followed the protocol; "
                     "nothing is released");
}

kith_status columns_agree(const columns_result *result, party *p, const columns_task *task,
                          kith_error *error)
{
    unsigned char mine[DIGEST_BYTES], theirs[PARTY_MAX][DIGEST_BYTES];
    void *places[PARTY_MAX];
    digest d;
    TRY(check_classes(result, p, task, error));
    digest_init(&d, "kith classes of columns", sizeof mine);
    digest_part(&d, result->class_of, task->mine->n_records * sizeof *result->class_of);
    digest_final(&d, mine);
    for (uint32_t i = 0; i < party_count(p); i++)
        places[i] = theirs[i];
    TRY(party_exchange(p, &classes_type, mine, places, sizeof mine, error));
    for (uint32_t i = 0; i < party_count(p); i++)
        if (i != party_self(p) && memcmp(theirs[i], mine, sizeof mine) != 0)
            return error_set(error, KITH_PEER,
                             "%s and %s have different classes: a party has not followed the "
                             "protocol; nothing is released",
                             party_name(p, party_self(p)), party_name(p, i));
    return KITH_OK;
}
