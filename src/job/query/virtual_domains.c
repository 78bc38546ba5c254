#include "job/query/virtual_domains.h"

#include <sodium.h>
#include <string.h>

#include "core/bytes.h"
#include "core/error.h"
#include "job/query/virtual_labels.h"
#include "smc/smc.h"
#include "study/holders.h"

static const message_type domains_type = {"query.domains", DISCLOSE_RELEASE};

enum { MAX_BYTES = 1 << 28, NUMBER = 4 };

kith_status virtual_domains_names(query_domain **domains, uint32_t *n_domains,
                                  const kith_study *study, arena *memory, kith_error *error)
{
    static const double nothing;
    *n_domains = 0;
    *domains = TRY_ARRAY(*domains, memory, study->n_columns, error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const study_column *c = &study->columns[i];
        if (holders_release(study, i))
            (*domains)[(*n_domains)++] =
                (query_domain){.name = c->name,
                               .type = c->type,
                               .date_format = c->date_format,
                               .numbers = c->type == KITH_TYPE_STRING ? NULL : &nothing};
    }
    return KITH_OK;
}

/* --- as bytes --- */

/* With its terminating zero; a missing text is the length 0. */
static void put_text(bytes_writer *w, const char *text)
{
    const size_t length = text == NULL ? 0 : strlen(text) + 1;
    bytes_write_number(w, length, NUMBER);
    bytes_write(w, text, length);
}

/* --- and back: everything comes from a peer --- */

typedef struct unpacking {
    bytes_reader in;
    virtual_table *table;
    query_interval **intervals; /* [n_columns] */
    uint32_t *n_codes;          /* [n_columns] */
    arena *memory;
} unpacking;

static uint32_t get_number(bytes_reader *r)
{
    return (uint32_t)bytes_read(r, NUMBER);
}

static uint32_t get_count(bytes_reader *r)
{
    return (uint32_t)bytes_read_count(r, NUMBER, NUMBER);
}

/* NULL is a missing text. */
static const char *get_text(bytes_reader *r)
{
    const uint32_t length = get_number(r);
    const char *text = length == 0 ? NULL : bytes_read_text(r, length - 1);
    bytes_refuse(r, length > 0 && bytes_read(r, 1) != 0);
    return r->failed ? NULL : text; /* without its zero it has no end */
}

/* One that must be there. */
static const char *need_text(bytes_reader *r)
{
    const char *text = get_text(r);
    bytes_refuse(r, text == NULL);
    return text;
}

static kith_status unpack_column(unpacking *u, uint32_t j, const kith_study *study,
                                 kith_error *error)
{
    query_domain *d = &u->table->domains[j];
    const char *name = need_text(&u->in);
    bytes_refuse(&u->in, name == NULL || !virtual_table_name(d, name, study));
    if (u->in.failed)
        return KITH_OK;
    d->n_values = get_count(&u->in);
    const char **texts = TRY_ARRAY(texts, u->memory, d->n_values, error);
    for (uint32_t v = 0; v < d->n_values && !u->in.failed; v++)
        texts[v] = need_text(&u->in);
    d->texts = texts;
    const uint32_t n = u->n_codes[j] = get_count(&u->in);
    const char **cells = TRY_ARRAY(cells, u->memory, n, error);
    u->intervals[j] = TRY_ALLOC(arena_array(u->memory, n, sizeof **u->intervals), error);
    for (uint32_t c = 0; c < n && !u->in.failed; c++) {
        query_interval *at = &u->intervals[j][c];
        cells[c] = get_text(&u->in);
        at->first = get_number(&u->in);
        at->last = get_number(&u->in);
        bytes_refuse(&u->in, at->first > at->last || at->last > d->n_values);
    }
    u->table->cells[j] = cells;
    if (u->in.failed)
        return KITH_OK;
    return virtual_labels_needed(study, name) ? virtual_labels_read(d, study, u->memory, error)
                                              : virtual_table_numbers(d, u->memory, error);
}

kith_status virtual_domains_unpack(virtual_table **table, const kith_study *study,
                                   const unsigned char *bytes, size_t length, arena *memory,
                                   kith_error *error)
{
    virtual_table *t = TRY_ZEROS(t, memory, 1, error);
    unpacking u = {.in = {.at = bytes, .left = length}, .table = t, .memory = memory};
    *table = NULL;
    t->about.study = need_text(&u.in);
    t->about.digest = need_text(&u.in);
    t->about.run = need_text(&u.in);
    const uint32_t n = t->n_columns = get_number(&u.in);
    bytes_refuse(&u.in, n > study->n_columns);
    if (u.in.failed)
        return KITH_OK;
    t->domains = TRY_ZEROS(t->domains, memory, n, error);
    t->cells = TRY_ZEROS(t->cells, memory, n, error);
    u.intervals = TRY_ZEROS(u.intervals, memory, n, error);
    u.n_codes = TRY_ZEROS(u.n_codes, memory, n, error);
    for (uint32_t j = 0; j < n && !u.in.failed; j++)
        TRY(unpack_column(&u, j, study, error));
    if (!bytes_read_all(&u.in))
        return KITH_OK;
    t->rows =
        (query_rows){.intervals = (const query_interval *const *)u.intervals, .n_codes = u.n_codes};
    virtual_table_hash(t);
    *table = t;
    return KITH_OK;
}

/* --- step 3 --- */

static kith_status receive(const virtual_table **shown, party *p, const virtual_query *q,
                           uint32_t from, const unsigned char *id, arena *memory, kith_error *error)
{
    uint64_t length;
    unsigned char *bytes = NULL;
    virtual_table *t = NULL;
    TRY(party_recv(p, from, &domains_type, &length, sizeof length, error));
    if (length > MAX_BYTES)
        return party_protocol_error(p, from, error, "sent domains of %llu bytes",
                                    (unsigned long long)length);
    TRY(smc_recv_append(p, from, &domains_type, memory, &bytes, 0, length, error));
    TRY(virtual_domains_unpack(&t, q->study, bytes, length, memory, error));
    if (t == NULL || sodium_memcmp(t->id, id, VIRTUAL_RELEASE_ID) != 0)
        return party_protocol_error(p, from, error,
                                    "sent domains that are not those of the release");
    party_learns(p, DISCLOSE_RELEASE, "domains", t->n_columns);
    *shown = t;
    return KITH_OK;
}

kith_status virtual_domains_tell(const virtual_table **shown, party *p, const virtual_query *q,
                                 const unsigned char id[VIRTUAL_RELEASE_ID], arena *memory,
                                 kith_error *error)
{
    const uint32_t self = party_self(p), first = q->querier == 0 ? 1 : 0;
    /* All know whether the querier is one of the sites. */
    if (q->querier_is_site)
        return KITH_OK;
    if (self == q->querier)
        return receive(shown, p, q, first, id, memory, error);
    if (self != first)
        return KITH_OK;
    const virtual_table *t = q->mine;
    bytes_writer w = {.memory = memory};
    put_text(&w, t->about.study);
    put_text(&w, t->about.digest);
    put_text(&w, t->about.run);
    bytes_write_number(&w, t->n_columns, NUMBER);
    for (uint32_t j = 0; j < t->n_columns; j++) {
        const query_domain *d = &t->domains[j];
        put_text(&w, d->name);
        bytes_write_number(&w, d->n_values, NUMBER);
        for (uint32_t v = 0; v < d->n_values; v++)
            put_text(&w, d->texts[v]);
        bytes_write_number(&w, t->rows.n_codes[j], NUMBER);
        for (uint32_t c = 0; c < t->rows.n_codes[j]; c++) {
            put_text(&w, t->cells[j][c]);
            bytes_write_number(&w, t->rows.intervals[j][c].first, NUMBER);
            bytes_write_number(&w, t->rows.intervals[j][c].last, NUMBER);
        }
    }
    TRY(bytes_written(&w, error));
    /* For the ledger, before anything is sent. */
    if (q->left != NULL) {
        virtual_left_domain *all = TRY_ARRAY(all, memory, t->n_columns, error);
        for (uint32_t j = 0; j < t->n_columns; j++)
            all[j] = (virtual_left_domain){t->domains[j].name, t->rows.n_codes[j]};
        q->left->domains = all;
        q->left->n_domains = t->n_columns;
    }
    const uint64_t length = w.length;
    TRY(party_send(p, q->querier, &domains_type, &length, sizeof length, error));
    return smc_send(p, q->querier, &domains_type, w.bytes, w.length, error);
}
