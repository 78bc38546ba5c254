#include "protocol/id_based/id_based.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/id_based/id_based_internal.h"
#include "protocol/private_choices.h"
#include "smc/compare/compare.h"
#include "smc/compare/logic.h"

static const message_type public_type = {"id.public", DISCLOSE_CONTROL}; /* message 3 */
static const message_type count_type = {"id.count", DISCLOSE_RELEASE};   /* messages 4, 10 */
static const message_type names_type = {"id.names", DISCLOSE_RELEASE};   /* messages 4, 10 */

kith_status id_based_tick(id_based_state *s, const char *phase, double done, kith_error *error)
{
    if (!context_progress(s->task->context, phase, done))
        return error_set(error, KITH_CANCELLED, "stopped while %s", phase);
    return party_poll(s->party, error);
}

/* --- before phase 1: roles, sizes, keys --- */

/* Alice is the party with more rows, the first one if both have the same number: sigma are k of her
 * rows, so she must have them if anyone has. */
static kith_status choose_alice(id_based_state *s, kith_error *error)
{
    const uint32_t self = party_self(s->party);
    const int64_t mine = self == 0 ? (int64_t)s->task->n_rows : -(int64_t)s->task->n_rows;
    const int64_t threshold = 0;
    const compare_sums sums = {
        .values = &mine, .thresholds = &threshold, .n_groups = 1, .bound = INT64_C(1) << 33};
    const smc_output output = {SMC_ALL, "the first party has as many rows"};
    uint64_t first_is_alice = 0;
    TRY(compare_thresholds(s->party, &first_is_alice, &sums, output, error)); /* message 1 */
    s->is_alice = (self == 0) == (first_is_alice == 1);
    s->other = 1 - self;
    return KITH_OK;
}

/* U: the study's, or the larger number of rows rounded up to a power of two. Bit i of the OR says
 * that some party has more than 2^i rows. Both parties work in proportion to U, so that the other
 * one may not claim more rows than the study allows; its own ones were checked before the run. */
static kith_status choose_lists(id_based_state *s, kith_error *error)
{
    const uint32_t max_rows = s->task->options->max_rows;
    uint64_t more = 0;
    s->lists = s->task->options->lists;
    if (s->lists == 0) {
        for (int i = 0; i < 32; i++)
            more |= (uint64_t)(s->task->n_rows > UINT64_C(1) << i) << i;
        TRY(logic_or(s->party, &more, &more, 32, SMC_ALL, error)); /* message 2 */
        const int digits = __builtin_popcountll(more);
        s->lists = digits < 32 ? UINT32_C(1) << digits : UINT32_MAX;
        if (max_rows > 0 && s->lists / 2 >= max_rows && s->task->n_rows <= max_rows)
            return party_protocol_error(s->party, s->other, error,
                                        "says that it has more than %u rows; the study allows a "
                                        "party %u (rows)",
                                        s->lists / 2, max_rows);
    }
    if (s->lists <= ID_BASED_MAX_LISTS)
        return KITH_OK;
    return error_set(error, KITH_INVALID,
                     "a party has more than %d rows: say in the study how many different "
                     "quasi-identifiers a party may have, as in 'lists: 1000'",
                     ID_BASED_MAX_LISTS);
}

/* Alice makes a generator for this run alone, and forgets its secret at once. */
static kith_status make_own_key(id_based_state *s, kith_error *error)
{
    unsigned char bytes[IBE_PUBLIC_BYTES];
    ibe_recipient *recipient;
    ibe_reader *reader;
    ibe_identity v;
    ibe_parameters *parameters = TRY_ARRAY(parameters, s->memory, 1, error);
    ibe_master *master = TRY_ALLOC(secret_memory_array(s->memory, 1, sizeof *master), error);
    ibe_key *key = TRY_ALLOC(secret_memory_array(s->memory, 1, sizeof *key), error);
    ibe_identity_of(&v, party_name(s->party, party_self(s->party)), "");
    ibe_generate(parameters, master);
    ibe_extract(key, parameters, master, &v);
    secret_memory_wipe(master, sizeof *master);
    TRY(ibe_recipient_new(&recipient, s->memory, parameters, &v, error));
    TRY(ibe_reader_new(&reader, s->memory, key, error));
    ibe_recipient_format(bytes, recipient);
    s->recipient = recipient;
    s->reader = reader;
    return party_send(s->party, s->other, &public_type, bytes, sizeof bytes, error);
}

/* Bob's side of it. */
static kith_status take_own_key(id_based_state *s, kith_error *error)
{
    unsigned char bytes[IBE_PUBLIC_BYTES];
    ibe_recipient *recipient = NULL;
    TRY(party_recv(s->party, s->other, &public_type, bytes, sizeof bytes, error));
    kith_status status = ibe_recipient_parse(&recipient, s->memory, bytes, error);
    if (status == KITH_DATA)
        return party_protocol_error(s->party, s->other, error, "sent an invalid public key");
    s->recipient = recipient;
    return status;
}

static kith_status open_keys(id_based_state *s, kith_error *error)
{
    const id_based_task *task = s->task;
    const uint32_t alice = s->is_alice ? party_self(s->party) : s->other;
    ibe_recipient *recipient;
    ibe_reader *reader;
    if (task->parameters == NULL)
        return s->is_alice ? make_own_key(s, error) : take_own_key(s, error);
    TRY(ibe_recipient_new(&recipient, s->memory, task->parameters, &task->identities[alice],
                          error));
    s->recipient = recipient;
    if (!s->is_alice)
        return KITH_OK;
    TRY(ibe_reader_new(&reader, s->memory, task->key, error));
    s->reader = reader;
    return KITH_OK;
}

/* --- own rows --- */

/* Alice takes sigma off and looks for places of what phase 2 will ask about; Bob spreads his. All
 * of it happens before anything about the rows is sent. Quasi-identifiers that Bob has k times are
 * not asked about in the end: they only need room here. */
static kith_status place_names(id_based_state *s, kith_error *error)
{
    const unsigned char *run_id = party_run_id(s->party);
    const id_based_bins *bins = &s->bins;
    const size_t n_slots = (size_t)(bins->hashed ? bins->n_bins : 1) * bins->capacity;
    rng choices;
    if (!s->is_alice) {
        s->slots = TRY_ARRAY(s->slots, s->memory, n_slots, error);
        return id_based_bins_spread(s->slots, bins, s->mine.names.name, s->mine.names.count, run_id,
                                    s->memory, error);
    }
    if (s->task->seeded)
        rng_init(&choices, s->task->seed, party_self(s->party));
    else
        private_choices_rng(&choices, s->task->choices, "sigma");
    kith_status status = id_based_sets_sigma(&s->mine, s->suppressed, &s->split, s->task, &choices,
                                             s->memory, error);
    rng_wipe(&choices);
    TRY(status);
    s->in_bin = TRY_ARRAY(s->in_bin, s->memory, bins->n_bins, error);
    TRY(id_based_bins_place(s->in_bin, bins, s->mine.names.name, s->mine.names.count, run_id,
                            s->memory, error));
    for (uint32_t b = 0; b < bins->n_bins; b++) {
        const uint32_t name = s->in_bin[b];
        if (name != ID_BASED_EMPTY && (s->mine.n_left[name] == 0 || s->mine.n_left[name] >= s->k))
            s->in_bin[b] = ID_BASED_EMPTY;
    }
    return KITH_OK;
}

/* --- lists of names --- */

static kith_status send_names(id_based_state *s, const id_based_names *names, kith_error *error)
{
    const uint32_t count = names->count;
    TRY(party_send(s->party, s->other, &count_type, &count, sizeof count, error));
    return smc_send(s->party, s->other, &names_type, names->name,
                    (size_t)count * sizeof *names->name, error);
}

static kith_status receive_names(id_based_state *s, id_based_names *names, kith_error *error)
{
    TRY(party_recv(s->party, s->other, &count_type, &names->count, sizeof names->count, error));
    if (names->count > s->lists)
        return party_protocol_error(s->party, s->other, error,
                                    "sent %u quasi-identifiers, of which it can have %u",
                                    names->count, s->lists);
    names->name = TRY_ARRAY(names->name, s->memory, names->count, error);
    TRY(smc_recv(s->party, s->other, &names_type, names->name,
                 (size_t)names->count * sizeof *names->name, error));
    if (!id_based_names_ascend(names))
        return party_protocol_error(s->party, s->other, error,
                                    "sent quasi-identifiers that are not in order");
    return KITH_OK;
}

/* This party's names that have at least `least` rows left. */
static kith_status names_with(id_based_names *out, const id_based_state *s, uint32_t least,
                              kith_error *error)
{
    const id_based_names *all = &s->mine.names;
    *out = (id_based_names){.count = 0};
    out->name = TRY_ARRAY(out->name, s->memory, all->count, error);
    for (uint32_t i = 0; i < all->count; i++)
        if (s->mine.n_left[i] >= least)
            out->name[out->count++] = all->name[i];
    return KITH_OK;
}

/* Q'_A,0 goes to Bob, Q_B,0 to Alice. */
static kith_status exchange_frequent(id_based_state *s, kith_error *error)
{
    const uint32_t self = party_self(s->party);
    TRY(names_with(&s->frequent[self], s, s->k, error));
    TRY(send_names(s, &s->frequent[self], error));
    TRY(receive_names(s, &s->frequent[s->other], error));
    party_learns(s->party, DISCLOSE_RELEASE, "frequent quasi-identifiers",
                 s->frequent[s->other].count);
    return KITH_OK;
}

/* --- the end --- */

/* Alice tells which of her quasi-identifiers remain. */
static kith_status tell_remaining(id_based_state *s, kith_error *error)
{
    if (s->is_alice) {
        TRY(names_with(&s->remaining, s, 1, error));
        return send_names(s, &s->remaining, error);
    }
    TRY(receive_names(s, &s->remaining, error));
    party_learns(s->party, DISCLOSE_RELEASE, "remaining quasi-identifiers", s->remaining.count);
    return KITH_OK;
}

/* Bob suppresses what neither he has k times nor Alice has listed. */
static kith_status bob_suppresses(id_based_state *s, bool already, kith_error *error)
{
    for (uint32_t i = 0; i < s->mine.names.count; i++) {
        if (s->mine.n_rows[i] >= s->k || id_based_names_have(&s->remaining, &s->mine.names.name[i]))
            continue;
        if (already)
            return party_protocol_error(s->party, s->other, error,
                                        "takes the table for k-anonymous, which it is not");
        s->mine.n_left[i] = 0;
    }
    return KITH_OK;
}

/* Asks for one bit before rows are sent: does every quasi-identifier that remains have k rows, and
 * has the suppressed group? Counts above k are told as k. In place of the paper's last step, which
 * exchanges the tables first, and the original data if the answer is no. */
static kith_status confirm_classes(id_based_state *s, bool already, id_based_result *result,
                                   kith_error *error)
{
    const uint32_t bob = s->is_alice ? s->other : party_self(s->party);
    id_based_names kept;
    TRY(id_based_names_unite(&kept, &s->remaining, &s->frequent[bob], s->memory, error));
    const size_t n = (size_t)kept.count + !already;
    int64_t *values = TRY_ALLOC(secret_memory_array(s->memory, n, sizeof *values), error);
    int64_t *thresholds = TRY_ARRAY(thresholds, s->memory, n, error);
    uint32_t n_suppressed = 0;
    uint64_t enough = 1;
    for (uint32_t row = 0; row < s->task->n_rows; row++)
        n_suppressed += s->suppressed[row];
    for (size_t i = 0; i < n; i++) {
        uint32_t rows = n_suppressed;
        if (i < kept.count) {
            const uint32_t at = id_based_names_find(&s->mine.names, &kept.name[i]);
            rows = at == UINT32_MAX ? 0 : s->mine.n_left[at];
        }
        values[i] = rows < s->k ? rows : s->k;
        thresholds[i] = s->k;
    }
    const compare_block block = {.size = n, .need = n};
    const compare_sums sums = {.values = values,
                               .thresholds = thresholds,
                               .n_groups = 1,
                               .blocks = &block,
                               .n_blocks = 1,
                               .bound = 2 * (int64_t)s->k};
    const smc_output output = {SMC_ALL, "classes are large enough"};
    if (n > 0)
        TRY(compare_thresholds(s->party, &enough, &sums, output, error)); /* message 11 */
    if (enough != 1)
        return party_protocol_error(s->party, s->other, error,
                                    "did not keep to the protocol: a class of the release would "
                                    "have fewer than %u rows, and none are sent",
                                    s->k);
    result->n_kept = kept.count;
    result->kept = TRY_ARRAY(result->kept, s->task->context->memory, kept.count, error);
    memcpy(result->kept, kept.name, kept.count * sizeof *kept.name);
    return KITH_OK;
}

static kith_status id_based_phases(id_based_state *s, id_based_result *result, kith_error *error)
{
    const id_based_task *task = s->task;
    party_step(s->party, "roles");
    TRY(id_based_sets_make(&s->mine, task, s->memory, error));
    if (task->options->lists > 0 && s->mine.names.count > task->options->lists)
        return error_set(error, KITH_INVALID,
                         "this party has %u different quasi-identifiers; the study allows %u "
                         "(lists)",
                         s->mine.names.count, task->options->lists);
    TRY(choose_alice(s, error));
    TRY(choose_lists(s, error));
    s->bins = id_based_bins_for(s->lists, task->options->hashing);
    TRY(open_keys(s, error));
    TRY(place_names(s, error));
    party_step(s->party, "testing the tables");
    TRY(exchange_frequent(s, error));
    TRY(id_based_test(s, &result->already, error));
    if (result->already) { /* nothing is suppressed after all */
        memset(s->suppressed, 0, s->task->n_rows * sizeof *s->suppressed);
        memcpy(s->mine.n_left, s->mine.n_rows, s->mine.names.count * sizeof *s->mine.n_left);
    } else {
        /* What Bob has k times remains, however often Alice has it: she need not ask. */
        for (uint32_t b = 0; b < s->bins.n_bins && s->is_alice; b++)
            if (s->in_bin[b] != ID_BASED_EMPTY &&
                id_based_names_have(&s->frequent[s->other], &s->mine.names.name[s->in_bin[b]]))
                s->in_bin[b] = ID_BASED_EMPTY;
        TRY(id_based_compare(s, error));
    }
    party_step(s->party, "classes");
    TRY(tell_remaining(s, error));
    if (!s->is_alice)
        TRY(bob_suppresses(s, result->already, error));
    /* Rows whose quasi-identifier has no rows left are suppressed, beside those of sigma. */
    for (uint32_t row = 0; row < s->task->n_rows; row++)
        if (s->mine.n_left[s->mine.of_row[row]] == 0)
            s->suppressed[row] = true;
    TRY(confirm_classes(s, result->already, result, error));
    result->alice = s->is_alice ? party_self(s->party) : s->other;
    result->suppressed = s->suppressed;
    uint32_t n_suppressed = 0;
    for (uint32_t row = 0; row < s->task->n_rows; row++)
        n_suppressed += s->suppressed[row];
    report_fact(&result->report, "lists", s->lists);
    report_fact(&result->report, "bins", result->already ? 0 : s->bins.n_bins);
    report_fact(&result->report, "capacity", result->already ? 0 : s->bins.capacity);
    report_fact(&result->report, "comparisons",
                2.0 * s->lists + (result->already ? 0 : (double)s->bins.n_bins * s->bins.capacity));
    report_fact(&result->report, "already_anonymous", result->already);
    report_fact(&result->report, "own_rows_suppressed", n_suppressed);
    return KITH_OK;
}

kith_status id_based_run(id_based_result *result, party *p, const id_based_task *task,
                         kith_error *error)
{
    id_based_state s = {.party = p, .task = task, .k = task->k, .split = UINT32_MAX};
    *result = (id_based_result){.already = false};
    if (party_count(p) != 2 || task->k < 2 || task->k > ID_BASED_MAX_K)
        return error_set(error, KITH_INVALID,
                         "protocol id-based is for two parties and k from 2 to %d", ID_BASED_MAX_K);
    s.suppressed = TRY_ZEROS(s.suppressed, task->context->memory, task->n_rows, error);
    s.memory = TRY_ALLOC(arena_new_wiping(), error);
    const char *before = party_step(p, "roles");
    kith_status status = id_based_phases(&s, result, error);
    arena_free(s.memory);
    if (status != KITH_OK)
        return status;
    party_step(p, before);
    return KITH_OK;
}
