#include "protocol/columns_shape.h"

#include "core/error.h"

static const message_type shape_type = {"vertical.shape", DISCLOSE_CONTROL};

kith_status columns_shape_check_size(const problem *p, kith_error *error)
{
    if (p->n_records == 0)
        return error_set(error, KITH_INFEASIBLE, "no records to anonymize");
    if (p->n_records < p->k)
        return error_set(error, KITH_INFEASIBLE,
                         "only %u record%s: k-anonymity with k = %u cannot be met", p->n_records,
                         p->n_records == 1 ? "" : "s", p->k);
    return KITH_OK;
}

kith_status columns_shape_compare(party *p, const columns_task *task, kith_error *error)
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
