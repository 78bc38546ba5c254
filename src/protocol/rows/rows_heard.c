#include "protocol/rows/rows_heard.h"

void rows_heard_set(rows_state *v, rows_event event, uint32_t size, uint32_t own,
                    const uint32_t *nodes)
{
    ASSERT(own <= size);
    const bool one_foreign = size - own == 1;
    v->heard.n_one_foreign += one_foreign;
    v->heard.n_single += one_foreign && own == 0;
    if (v->recorder != NULL)
        v->recorder->heard(v->recorder->user, event, size, own, nodes);
}

void rows_heard_report(rows_state *v)
{
    if (v->heard.n_one_foreign > 0)
        party_learns(v->p, DISCLOSE_AGGREGATE, "clusters with one foreign record",
                     v->heard.n_one_foreign);
    if (v->heard.n_single > 0)
        party_learns(v->p, DISCLOSE_AGGREGATE, "single foreign records", v->heard.n_single);
    v->heard = (rows_heard){0};
}
