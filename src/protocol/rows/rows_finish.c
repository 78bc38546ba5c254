#include "protocol/rows/rows_finish.h"

#include "core/error.h"
#include "protocol/rows/rows_diversity.h"
#include "search/cluster/finish_merge.h"
#include "protocol/rows/rows_finish_rounds.h"
#include "smc/sum.h"

/* What dissolving each cluster of the round would cost, all parties together. */
static kith_status sum_prices(rows_state *v, rows_finish_rounds *h, int64_t *price,
                              kith_error *error)
{
    for (uint32_t i = 0; i < h->count; i++)
        price[i] = 0;
    rows_finish_rounds_price(h, price);
    /* Two's complement: sums modulo 2^64 are those of signed numbers. */
    TRY(sum_masked(v->p, (uint64_t *)price, (uint64_t *)price, h->count, 0, SMC_ALL, error));
    party_learns(v->p, DISCLOSE_AGGREGATE, "costs of dissolving clusters", h->count);
    return KITH_OK;
}

/* Every party sends the records of the marked clusters away, in one turn each. */
static kith_status dissolve(rows_state *v, rows_turn *t, rows_finish_rounds *h, kith_error *error)
{
    for (uint32_t i = 0; i < party_count(v->p); i++) {
        TRY(rows_exchange_save(&t->exchange, v, error));
        rows_state_forget(v);
        if (i == party_self(v->p))
            TRY(rows_finish_rounds_dissolve(h, NULL, 0, error));
        TRY(rows_exchange_share(v, &t->exchange, i, true, error));
    }
    return KITH_OK;
}

static kith_status remove_small(rows_state *v, rows_turn *t, kith_error *error)
{
    rows_finish_rounds h;
    int64_t *price = TRY_ALLOC(arena_array(v->memory, v->c.used, sizeof *price), error);
    TRY(clusters_arrange(&v->c, error));
    TRY(rows_finish_rounds_init(&h, &v->c, v->k, error));
    while (rows_finish_rounds_pick(&h)) {
        if (!context_progress(v->task->context, "finishing", -1))
            return error_set(error, KITH_CANCELLED, "stopped while finishing");
        TRY(sum_prices(v, &h, price, error));
        TRY(rows_finish_rounds_decide(&h, price, error));
        if (h.marked > 0)
            TRY(dissolve(v, t, &h, error));
    }
    return KITH_OK;
}

/* Single moves that leave k records everywhere. */
static kith_status polish(rows_state *v, rows_turn *t, kith_error *error)
{
    bool done = false;
    v->block_pass.keep = v->k;
    for (uint32_t pass = 0; pass < ROWS_FINISH_MAX_POLISHING && !done; pass++) {
        clusters_compact(&v->c);
        TRY(clusters_arrange(&v->c, error));
        rows_state_forget(v);
        int64_t before = clusters_total_cost(&v->c);
        v->moved = false;
        for (uint32_t i = 0; i < party_count(v->p); i++)
            TRY(rows_turn_run(t, v, i, error));
        done = rows_finish_rounds_polished(v->moved, before, clusters_total_cost(&v->c));
    }
    return KITH_OK;
}

kith_status rows_finish(rows_state *v, rows_turn *t, kith_error *error)
{
    if (v->task->spec->finish == FINISH_MERGE)
        return finish_merge_small(&v->c, v->mine->k, v->task->context, error); /* 26-30 */
    party_step(v->p, "finishing");
    v->block_pass.paper = NULL; /* the paper has nothing of the kind */
    bool repaired;
    TRY(remove_small(v, t, error));
    party_step(v->p, "polishing");
    TRY(polish(v, t, error));
    party_step(v->p, "mending");
    TRY(rows_diversity_repair(v, &repaired, error));
    return repaired ? polish(v, t, error) : KITH_OK;
}
