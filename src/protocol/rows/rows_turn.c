#include "protocol/rows/rows_turn.h"

#include "core/error.h"
#include "protocol/rows/rows_heard.h"

static const message_type type_count = {"cluster.count", DISCLOSE_CHOICE}; /* message 9 */
static const message_type type_ask = {"cluster.ask", DISCLOSE_CHOICE};     /* message 9 */

kith_status rows_turn_init(rows_turn *t, rows_state *v, kith_error *error)
{
    size_t n_attributes = v->mine->n_attributes;
    *t = (rows_turn){.room = v->block_pass.block * n_attributes};
    t->ask = TRY_ALLOC(arena_array(v->memory, t->room, 3 * sizeof *t->ask), error);
    t->query = TRY_ALLOC(arena_array(v->memory, t->room, sizeof *t->query), error);
    t->number = TRY_ALLOC(arena_array(v->memory, t->room, sizeof *t->number), error);
    t->answer = TRY_ALLOC(arena_array(v->memory, t->room, sizeof *t->answer), error);
    t->wanted = TRY_ALLOC(arena_array(v->memory, n_attributes, sizeof *t->wanted), error);
    t->mine = TRY_ALLOC(arena_array(v->memory, v->rows.stride, sizeof *t->mine), error);
    t->entries = TRY_ALLOC(arena_array(v->memory, v->block_pass.block, sizeof *t->entries), error);
    t->start = TRY_ARRAY(t->start, v->memory, (size_t)v->block_pass.block + 1, error);
    return KITH_OK;
}

/* --- the pivot --- */

/* Writes the questions about one entry of the block behind the first `count`; returns how many
 * there are then. The pivot's own node is the closure of its records in the cluster, without the
 * one that is asked about. */
static uint32_t write_question(rows_turn *t, rows_state *v, const rows_question *q, uint32_t count)
{
    const uint32_t n_attributes = v->mine->n_attributes, cluster = q->cluster;
    bool mates = v->c.held[cluster] > 0;
    uint32_t *ask = t->ask + (size_t)3 * count;
    if (q->question != ROWS_PADDING)
        mates = block_pass_wanted(&v->block_pass, v->block_pass.collected.questions[q->question],
                                  t->wanted, n_attributes, t->mine);
    else if (mates)
        slots_close(&v->rows, t->mine, v->c.member[cluster], v->c.held[cluster]);
    if (v->task->options->hide_sizes)
        (void)rows_padding_attributes(v, cluster, t->wanted);
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
            t->number[count++] = mates ? v->trees[j].number[v->node[j]] : LCA_NONE;
    return count;
}

/* The block of questions about the collected records; *count becomes how many there are. */
static kith_status write_block(rows_turn *t, rows_state *v, uint32_t *count, kith_error *error)
{
    const block_pass_block *collected = &v->block_pass.collected;
    *count = 0;
    t->n_entries = collected->n_questions;
    for (uint32_t q = 0; q < t->n_entries; q++)
        t->entries[q] = (rows_question){v->c.of[collected->questions[q]], q};
    if (v->task->options->hide_sizes)
        TRY(rows_padding_fill(v, t->entries, &t->n_entries, error));
    for (uint32_t i = 0; i < t->n_entries; i++) {
        t->start[i] = *count;
        *count = write_question(t, v, &t->entries[i], *count);
    }
    t->start[t->n_entries] = *count;
    return KITH_OK;
}

/* Writes the joint closures without each record to where the block rule reads them. A wrong answer
 * cannot be traced to a party: the primitive does not tell who gave which node. */
static kith_status read_answers(rows_turn *t, rows_state *v, kith_error *error)
{
    for (uint32_t e = 0; e < t->n_entries; e++) {
        const uint32_t cluster = t->entries[e].cluster, q = t->entries[e].question;
        if (q == ROWS_PADDING)
            continue;
        slots_to_nodes(&v->rows, v->mine, rows_state_closure(v, cluster), v->node);
        for (uint32_t i = t->start[e]; i < t->start[e + 1]; i++) {
            uint32_t j = t->ask[3 * i + 1], own = t->number[i];
            const rows_tree *h = &v->trees[j];
            if (t->answer[i] == LCA_NONE)
                return error_set(error, KITH_PEER, "no site has the other records of a cluster");
            v->node[j] = h->node[t->answer[i]];
            if (own != LCA_NONE && !tree_covers(h->tree, v->node[j], h->node[own]))
                return error_set(error, KITH_PEER,
                                 "the closure of a cluster does not fit its records");
        }
        rows_heard_set(v, ROWS_ANSWER, v->c.size[cluster] - 1, v->c.held[cluster] - 1, v->node);
        slots_from_nodes(&v->rows, v->mine,
                         v->block_pass.collected.answers + (size_t)q * v->rows.stride, v->node);
    }
    rows_heard_report(v);
    return KITH_OK;
}

/* --- the others --- */

/* Checks question i and looks up this party's own node for it. The node asked about is the joint
 * closure of the cluster, so it must cover this party's records. */
static kith_status check_question(rows_turn *t, rows_state *v, uint32_t i, uint32_t pivot,
                                  kith_error *error)
{
    uint32_t cluster = t->ask[3 * i], j = t->ask[3 * i + 1], node = t->ask[3 * i + 2];
    if (cluster >= v->c.used || v->c.size[cluster] == 0 || j >= v->mine->n_attributes ||
        !rows_trees_has(&v->trees[j], node))
        return party_protocol_error(v->p, pivot, error, "asked about an unknown cluster or node");
    const rows_tree *h = &v->trees[j];
    t->number[i] = rows_state_local(v, cluster)[j];
    if (t->number[i] != LCA_NONE && !tree_covers(h->tree, node, h->node[t->number[i]]))
        return party_protocol_error(v->p, pivot, error,
                                    "asked about a node that is not the closure of the cluster");
    return KITH_OK;
}

/* --- both --- */

/* Step 6 for a block: the pivot sends its questions to all, and all compute the ancestors, which
 * the pivot alone learns. At the others *count becomes the number of questions; 0 ends the turn. */
static kith_status rows_turn_ask(rows_turn *t, rows_state *v, uint32_t pivot, uint32_t *count,
                                 kith_error *error)
{
    bool mine = pivot == party_self(v->p);
    if (mine) {
        TRY(party_broadcast(v->p, &type_count, count, sizeof *count, error));
        TRY(party_broadcast(v->p, &type_ask, t->ask, *count * 3 * sizeof *t->ask, error));
    } else {
        TRY(party_recv(v->p, pivot, &type_count, count, sizeof *count, error));
        if (*count > t->room)
            return party_protocol_error(v->p, pivot, error, "announces %u questions", *count);
        TRY(party_recv(v->p, pivot, &type_ask, t->ask, *count * 3 * sizeof *t->ask, error));
        party_learns(v->p, DISCLOSE_CHOICE, "questions of the pivot", *count);
    }
    for (uint32_t i = 0; i < *count; i++) {
        if (!mine)
            TRY(check_question(t, v, i, pivot, error));
        const rows_tree *h = &v->trees[t->ask[3 * i + 1]];
        t->query[i] = (lca_query){&h->numbered, h->number[t->ask[3 * i + 2]]};
    }
    v->totals.n_blocks += *count > 0;
    v->totals.n_questions += *count;
    /* message 10 */
    return *count == 0 ? KITH_OK : lca(v->p, t->answer, t->query, t->number, *count, pivot, error);
}

/* Steps 5 to 17 for some records of the pivot; adds the number of blocks asked to *n_asked. */
static kith_status lead_lap(rows_turn *t, rows_state *v, uint32_t first, uint32_t n_records,
                            uint32_t *n_asked, kith_error *error)
{
    block_pass_begin_turn(&v->block_pass, 0, first, n_records);
    while (block_pass_left(&v->block_pass)) { /* 5 */
        TRY(block_pass_collect(&v->block_pass, error));
        if (v->block_pass.collected.n_questions > 0) {
            uint32_t count;
            TRY(write_block(t, v, &count, error));
            TRY(rows_turn_ask(t, v, party_self(v->p), &count, error)); /* 6 */
            TRY(read_answers(t, v, error));
            ++*n_asked;
        }
        TRY(block_pass_visit_collected(&v->block_pass, error)); /* 7-17 */
    }
    return KITH_OK;
}

/* Steps 5 to 18 at the pivot. */
static kith_status lead(rows_turn *t, rows_state *v, kith_error *error)
{
    uint32_t n_asked = 0, count = 0;
    const bool hide = v->task->options->hide_sizes;
    site_choices_laps *laps = &v->pass.laps;
    site_choices_next_laps(laps, v->mine->n_records, hide, &v->rng);
    block_pass_open(&v->block_pass, 0);
    for (int lap = 0; lap < 2; lap++)
        TRY(lead_lap(t, v, laps->first[lap], laps->records[lap], &n_asked, error));
    block_pass_close(&v->block_pass);
    /* A turn without questions would show that the site has few records, or none. */
    if (hide && n_asked == 0) {
        v->block_pass.collected.n_questions = 0;
        TRY(write_block(t, v, &count, error));
        if (count > 0)
            TRY(rows_turn_ask(t, v, party_self(v->p), &count, error));
    }
    count = 0;
    return rows_turn_ask(t, v, party_self(v->p), &count, error);
}

kith_status rows_turn_run(rows_turn *t, rows_state *v, uint32_t pivot, kith_error *error)
{
    CHECK(rows_state_check(v));
    const uint32_t before = v->block_pass.totals.n_moves;
    TRY(rows_exchange_save(&t->exchange, v, error));
    TRY(rows_state_reserve(v, error));
    if (pivot == party_self(v->p)) {
        TRY(lead(t, v, error));
    } else {
        uint32_t count = 0;
        do
            TRY(rows_turn_ask(t, v, pivot, &count, error));
        while (count > 0);
    }
    const bool moved = v->block_pass.totals.n_moves != before;
    return rows_exchange_share(v, &t->exchange, pivot, moved, error); /* 19 */
}
