/* Opening, closing and counting. */
#include "protocol/view/view_internal.h"

#include <string.h>

#include "core/error.h"
#include "protocol/leave_together.h"
#include "wire/ledger.h"

static const message_type heard_type = {"view.heard", DISCLOSE_CONTROL}; /* message 0 */

#if KITH_DEBUG
void view_check(const view *v)
{
    const uint32_t m = party_count(v->p);
    ASSERT(v->self == party_self(v->p));
    ASSERT(v->n_holders >= 2 && v->n_masters >= 1);
    if (view_external(v))
        ASSERT(v->master == v->n_holders && v->n_holders + v->n_masters == m);
    else
        ASSERT(v->n_masters == 1 && v->n_holders == m);
    ASSERT((v->keys != NULL) == view_holds(v));
    ASSERT(v->task->n_columns - v->task->n_released <= 1);
    ASSERT(v->packet.n_columns == 0 || v->packet.n_columns == v->task->n_columns ||
           v->packet.n_columns == v->task->n_released);
}
#endif

/* The roles, and what this party needs for its own. */
static kith_status assign_roles(view *v, kith_error *error)
{
    const party *p = v->p;
    const protocol_options *o = v->task->options;
    /* A master with data needs two other parties: with one other party, all rows that are not the
     * master's own would be that party's. */
    const uint32_t m = party_count(p);
    if (o->master == PROTOCOL_MASTER_EXTERNAL) {
        if (o->n_replicas < 1 || m < o->n_replicas + 2)
            return error_set(error, KITH_INVALID,
                             "the encrypted view needs two parties with data besides its masters");
    } else if (o->master >= m || m < 3 || o->n_replicas > 1) {
        return error_set(error, KITH_INVALID,
                         "a master that holds data needs at least three parties and no replicas");
    }
    const bool external = o->master == PROTOCOL_MASTER_EXTERNAL;
    v->n_masters = external ? o->n_replicas : 1;
    v->n_holders = external ? party_count(p) - v->n_masters : party_count(p);
    v->master = external ? v->n_holders : o->master;
    TRY(prg_new_private(&v->coins, v->memory, error));
    v->n_values = TRY_ZEROS(v->n_values, v->memory, v->task->n_released, error);
    if (view_holds(v))
        TRY(view_crypt_keys_new(&v->keys, v->memory, v->task->n_columns, error));
    CHECK(view_check(v));
    return KITH_OK;
}

kith_status view_open(view **out, party *p, const view_task *task, kith_error *error)
{
    arena *memory = TRY_ALLOC(arena_new_wiping(), error);
    view *v = arena_zalloc(memory, 1, sizeof *v);
    *out = v;
    if (v == NULL) {
        arena_free(memory);
        return error_nomem(error);
    }
    v->memory = memory;
    v->p = p;
    v->task = task;
    v->self = party_self(p);
    return assign_roles(v, error);
}

void view_close(view *v)
{
    if (v == NULL)
        return;
    arena_free(v->memory);
}

/* What the protocol has sent, without the messages by which the session keeps itself alive. */
static ledger_count own_traffic(const view *v)
{
    const ledger *l = party_ledger(v->p);
    ledger_count sum = {0};
    for (size_t i = 0; i < l->n_lines; i++) {
        if (strncmp(l->lines[i].type, "view.", 5) != 0)
            continue;
        sum.n_messages += l->lines[i].sent.n_messages;
        sum.bytes += l->lines[i].sent.bytes;
    }
    return sum;
}

void view_begin(view *v, int phase, const char *step)
{
    const ledger_count sent = own_traffic(v);
    view_phase *at = &v->phase[phase];
    party_step(v->p, step);
    at->seconds -= context_seconds();
    at->n_messages -= sent.n_messages; /* wraps around; view_end wraps it back */
    at->bytes -= sent.bytes;
}

void view_end(view *v, int phase)
{
    const ledger_count sent = own_traffic(v);
    view_phase *at = &v->phase[phase];
    at->seconds += context_seconds();
    at->n_messages += sent.n_messages;
    at->bytes += sent.bytes;
}

void view_report(const view *v, protocol_report *report)
{
    static const char *const name[VIEW_PHASES][3] = {
        {"encryption_seconds", "encryption_messages", "encryption_bytes"},
        {"integration_seconds", "integration_messages", "integration_bytes"},
        {"decryption_seconds", "decryption_messages", "decryption_bytes"},
        {"decoding_seconds", "decoding_messages", "decoding_bytes"}};
    for (int i = 0; i < VIEW_PHASES; i++) {
        report_fact(report, name[i][0], v->phase[i].seconds);
        report_fact(report, name[i][1], (double)v->phase[i].n_messages);
        report_fact(report, name[i][2], (double)v->phase[i].bytes);
    }
    report_fact(report, "operations", (double)v->n_operations);
    if (v->task->options->partition != PARTITION_HORIZONTAL)
        report_fact(report, "unmatched", (double)v->unmatched);
}

void view_leave_together(view *v)
{
    leave_together(v->p, &heard_type);
}
