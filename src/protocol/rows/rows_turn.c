#include "protocol/rows/rows_turn.h"

#include <sodium.h>
#include <string.h>

#include "core/error.h"

static const message_type type_count = {"cluster.count", DISCLOSE_CHOICE};
static const message_type type_ask = {"cluster.ask", DISCLOSE_CHOICE};

kith_status rows_turn_init(rows_turn *t, rows_state *v, kith_error *error)
{
    size_t n_attributes = v->mine->n_attributes;
    *t = (rows_turn){.room = v->block_pass.block * n_attributes};
    t->ask = TRY_ALLOC(arena_array(v->memory, t->room, 3 * sizeof *t->ask), error);
    t->query = TRY_ALLOC(arena_array(v->memory, t->room, sizeof *t->query), error);
    t->number = TRY_ALLOC(arena_array(v->memory, t->room, sizeof *t->number), error);
    t->wanted = TRY_ALLOC(arena_array(v->memory, n_attributes, sizeof *t->wanted), error);
    t->mine = TRY_ALLOC(arena_array(v->memory, v->rows.stride, sizeof *t->mine), error);
    t->start =
        TRY_ALLOC(arena_array(v->memory, (size_t)v->block_pass.block + 1, sizeof *t->start), error);
    return KITH_OK;
}

/* --- the pivot --- */

/* The questions about one record, behind the first `count` of the block; returns how many there are
 * then. The pivot's own node is what its other records in the cluster have in common. */
static uint32_t write_question(rows_turn *t, rows_state *v, uint32_t record, uint32_t count)
{
    const uint32_t n_attributes = v->mine->n_attributes;
    uint32_t cluster = v->c.of[record], *ask = t->ask + (size_t)3 * count;
    bool mates = block_pass_wanted(&v->block_pass, record, t->wanted, n_attributes, t->mine);
    slots_to_nodes(&v->rows, v->mine, rows_state_closure(v, cluster), v->node);
    for (uint32_t j = 0, at = 0; j < n_attributes; j++) {
        if (!t->wanted[j])
            continue;
        ask[at++] = cluster;
        ask[at++] = j;
        ask[at++] = v->node[j];
    }
    if (mates)
        slots_to_nodes(&v->rows, v->mine, t->mine, v->node);
    for (uint32_t j = 0; j < n_attributes; j++)
        if (t->wanted[j])
            t->number[count++] = mates ? v->tree[j].number[v->node[j]] : LCA_NONE;
    return count;
}

static uint32_t write_questions(rows_turn *t, rows_state *v)
{
    uint32_t count = 0;
    for (uint32_t q = 0; q < v->block_pass.collected.n_questions; q++) {
        t->start[q] = count;
        count = write_question(t, v, v->block_pass.collected.questions[q], count);
    }
    t->start[v->block_pass.collected.n_questions] = count;
    return count;
}

/* The joint closures without each record, where the block rule looks for them. */
static kith_status read_answers(rows_turn *t, rows_state *v, kith_error *error)
{
    for (uint32_t q = 0; q < v->block_pass.collected.n_questions; q++) {
        uint32_t cluster = v->c.of[v->block_pass.collected.questions[q]];
        slots_to_nodes(&v->rows, v->mine, rows_state_closure(v, cluster), v->node);
        for (uint32_t i = t->start[q]; i < t->start[q + 1]; i++) {
            uint32_t j = t->ask[3 * i + 1];
            if (t->number[i] == LCA_NONE)
                return error_set(error, KITH_PEER, "nobody has the other records of a cluster");
            v->node[j] = v->tree[j].node[t->number[i]];
        }
        slots_from_nodes(&v->rows, v->mine,
                         v->block_pass.collected.answers + (size_t)q * v->rows.stride, v->node);
    }
    return KITH_OK;
}

/* --- the others --- */

static kith_status bad_question(const rows_state *v, uint32_t pivot, kith_error *error)
{
    return error_set(error, KITH_PEER, "%s asked about something that is not there",
                     party_name(v->p, pivot));
}

static kith_status check_question(rows_turn *t, rows_state *v, uint32_t i, uint32_t pivot,
                                  kith_error *error)
{
    uint32_t cluster = t->ask[3 * i], j = t->ask[3 * i + 1], node = t->ask[3 * i + 2];
    if (cluster >= v->c.used || v->c.size[cluster] == 0 || j >= v->mine->n_attributes ||
        !rows_trees_has(&v->tree[j], node))
        return bad_question(v, pivot, error);
    const rows_tree *h = &v->tree[j];
    t->number[i] = rows_state_local(v, cluster)[j];
    if (t->number[i] != LCA_NONE && !tree_covers(h->tree, node, h->node[t->number[i]]))
        return bad_question(v, pivot, error);
    return KITH_OK;
}

/* --- both --- */

/* Step 6 for a block: the pivot's questions go to all, who answer by lca, and it alone learns. */
static kith_status ask(rows_turn *t, rows_state *v, uint32_t pivot, uint32_t *count,
                       kith_error *error)
{
    bool mine = pivot == party_self(v->p);
    if (mine) {
        TRY(party_broadcast(v->p, &type_count, count, sizeof *count, error));
        TRY(party_broadcast(v->p, &type_ask, t->ask, *count * 3 * sizeof *t->ask, error));
    } else {
        TRY(party_recv(v->p, pivot, &type_count, count, sizeof *count, error));
        if (*count > t->room)
            return bad_question(v, pivot, error);
        TRY(party_recv(v->p, pivot, &type_ask, t->ask, *count * 3 * sizeof *t->ask, error));
        party_learns(v->p, DISCLOSE_CHOICE, "questions of the pivot", *count);
    }
    for (uint32_t i = 0; i < *count; i++) {
        if (!mine)
            TRY(check_question(t, v, i, pivot, error));
        const rows_tree *h = &v->tree[t->ask[3 * i + 1]];
        t->query[i] = (lca_query){&h->numbered, h->number[t->ask[3 * i + 2]]};
    }
    v->n_blocks += *count > 0;
    v->n_questions += *count;
    return *count == 0 ? KITH_OK : lca(v->p, t->number, t->query, t->number, *count, pivot, error);
}

/* Questions whose answers the pivot knows, so that the others see neither how many real ones there
 * are, nor whether there are any: about the joint closures of random clusters as they are. */
static uint32_t pad(rows_turn *t, rows_state *v, uint32_t count)
{
    uint32_t full =
        (count / v->block_pass.block + (count % v->block_pass.block != 0 || count == 0));
    for (full *= v->block_pass.block; count < full && count < t->room;) {
        uint32_t cluster = randombytes_uniform(v->c.used);
        uint32_t j = randombytes_uniform(v->mine->n_attributes), held = v->c.held[cluster];
        if (v->c.size[cluster] == 0)
            continue;
        slots_to_nodes(&v->rows, v->mine, rows_state_closure(v, cluster), v->node);
        t->ask[3 * count] = cluster;
        t->ask[3 * count + 1] = j;
        t->ask[3 * count + 2] = v->node[j];
        if (held > 0) {
            slots_close(&v->rows, v->row, v->c.member[cluster], held);
            slots_to_nodes(&v->rows, v->mine, v->row, v->node);
        }
        t->number[count++] = held > 0 ? v->tree[j].number[v->node[j]] : LCA_NONE;
    }
    return count;
}

/* Steps 5 to 17 for some records of the pivot. */
static kith_status lead_lap(rows_turn *t, rows_state *v, uint32_t first, uint32_t n_records,
                            uint32_t *asked, kith_error *error)
{
    block_pass_begin_turn(&v->block_pass, 0, first, n_records);
    while (block_pass_left(&v->block_pass)) { /* 5 */
        TRY(block_pass_collect(&v->block_pass, error));
        uint32_t count = write_questions(t, v);
        if (count > 0) {
            count = v->task->options->hide_sizes ? pad(t, v, count) : count;
            TRY(ask(t, v, party_self(v->p), &count, error)); /* 6 */
            TRY(read_answers(t, v, error));
            ++*asked;
        }
        TRY(block_pass_visit_collected(&v->block_pass, error)); /* 7-17 */
    }
    return KITH_OK;
}

static kith_status lead(rows_turn *t, rows_state *v, kith_error *error)
{
    uint32_t asked = 0, count = 0;
    bool hide = v->task->options->hide_sizes;
    site_choices_next_laps(&v->laps, v->mine->n_records, hide, &v->rng);
    for (int lap = 0; lap < 2; lap++)
        TRY(lead_lap(t, v, v->laps.first[lap], v->laps.records[lap], &asked, error));
    if (hide && asked == 0 && (count = pad(t, v, 0)) > 0)
        TRY(ask(t, v, party_self(v->p), &count, error));
    count = 0;
    return ask(t, v, party_self(v->p), &count, error);
}

static kith_status follow(rows_turn *t, rows_state *v, uint32_t pivot, kith_error *error)
{
    uint32_t count = 0;
    do
        TRY(ask(t, v, pivot, &count, error));
    while (count > 0);
    return KITH_OK;
}

kith_status rows_turn_run(rows_turn *t, rows_state *v, uint32_t pivot, kith_error *error)
{
    uint32_t before = v->block_pass.totals.n_moves;
    TRY(rows_exchange_save(&t->exchange, v, error));
    TRY(rows_state_reserve(v, error));
    if (pivot == party_self(v->p))
        TRY(lead(t, v, error));
    else
        TRY(follow(t, v, pivot, error));
    return rows_exchange_share(v, &t->exchange, pivot, v->block_pass.totals.n_moves != before,
                               error); /* 19 */
}
