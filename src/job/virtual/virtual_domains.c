#include "job/virtual/virtual_domains.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "job/virtual/virtual_labels.h"
#include "smc/smc.h"
#include "study/holders.h"

static const message_type domains_type = {"query.domains", DISCLOSE_RELEASE};

enum { MAX_BYTES = 1 << 28 };

kith_status virtual_domains_names(query_domain **domains, uint32_t *n_domains,
                                  const kith_study *study, arena *memory, kith_error *error)
{
    static const double nothing;
    *n_domains = 0;
    *domains = TRY_ALLOC(arena_array(memory, study->n_columns, sizeof **domains), error);
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

typedef struct buffer {
    unsigned char *bytes;
    size_t used, room, at; /* `at`: how far it has been read */
    arena *memory;
} buffer;

static kith_status put(buffer *b, const void *bytes, size_t length, kith_error *error)
{
    TRY_GROW(b->bytes, b->room, b->used + length, b->memory, error);
    memcpy(b->bytes + b->used, bytes, length);
    b->used += length;
    return KITH_OK;
}

static kith_status put_number(buffer *b, uint32_t number, kith_error *error)
{
    return put(b, &number, sizeof number, error);
}

/* With its terminating zero; a missing text is the length 0. */
static kith_status put_text(buffer *b, const char *text, kith_error *error)
{
    const uint32_t length = text == NULL ? 0 : (uint32_t)strlen(text) + 1;
    TRY(put_number(b, length, error));
    return put(b, text == NULL ? "" : text, length, error);
}

static bool get_number(buffer *b, uint32_t *number)
{
    if (b->used - b->at < sizeof *number)
        return false;
    memcpy(number, b->bytes + b->at, sizeof *number);
    b->at += sizeof *number;
    return true;
}

static bool get_text(buffer *b, const char **text)
{
    uint32_t length;
    if (!get_number(b, &length) || b->used - b->at < length)
        return false;
    *text = length == 0 ? NULL : (const char *)b->bytes + b->at;
    if (length > 0 && (*text)[length - 1] != '\0')
        return false;
    b->at += length;
    return length == 0 || strlen(*text) == length - (size_t)1;
}

static kith_status pack(buffer *b, const virtual_table *t, kith_error *error)
{
    const char *const about[] = {t->about.study, t->about.digest, t->about.run};
    for (size_t i = 0; i < sizeof about / sizeof *about; i++)
        TRY(put_text(b, about[i], error));
    TRY(put_number(b, t->n_columns, error));
    for (uint32_t j = 0; j < t->n_columns; j++) {
        const query_domain *d = &t->domains[j];
        TRY(put_text(b, d->name, error));
        TRY(put_number(b, d->n_values, error));
        for (uint32_t v = 0; v < d->n_values; v++)
            TRY(put_text(b, d->texts[v], error));
        TRY(put_number(b, t->rows.n_codes[j], error));
        for (uint32_t c = 0; c < t->rows.n_codes[j]; c++) {
            TRY(put_text(b, t->cells[j][c], error));
            TRY(put_number(b, t->rows.intervals[j][c].first, error));
            TRY(put_number(b, t->rows.intervals[j][c].last, error));
        }
    }
    return KITH_OK;
}

/* --- and back: everything comes from a peer --- */

typedef struct unpacked {
    virtual_table *table;
    query_interval **intervals; /* [n_columns] */
    uint32_t *n_codes;          /* [n_columns] */
} unpacked;

/* Counts are bounded by the bytes that are left before anything is allocated. */
static bool get_count(buffer *b, uint32_t *count)
{
    return get_number(b, count) && *count <= (b->used - b->at) / sizeof(uint32_t);
}

static kith_status unpack_values(buffer *b, query_domain *d, bool *good, kith_error *error)
{
    *good = get_count(b, &d->n_values);
    if (!*good)
        return KITH_OK;
    const char **texts = TRY_ALLOC(arena_array(b->memory, d->n_values, sizeof *texts), error);
    for (uint32_t v = 0; v < d->n_values && *good; v++)
        *good = get_text(b, &texts[v]) && texts[v] != NULL;
    d->texts = texts;
    return KITH_OK;
}

static kith_status unpack_cells(buffer *b, unpacked *u, uint32_t j, bool *good, kith_error *error)
{
    uint32_t *n = &u->n_codes[j];
    *good = get_count(b, n);
    if (!*good)
        return KITH_OK;
    const char **texts = TRY_ALLOC(arena_array(b->memory, *n, sizeof *texts), error);
    u->intervals[j] = TRY_ALLOC(arena_array(b->memory, *n, sizeof **u->intervals), error);
    for (uint32_t c = 0; c < *n && *good; c++) {
        query_interval *at = &u->intervals[j][c];
        *good = get_text(b, &texts[c]) && get_number(b, &at->first) && get_number(b, &at->last) &&
                at->first <= at->last && at->last <= u->table->domains[j].n_values;
    }
    u->table->cells[j] = texts;
    return KITH_OK;
}

static kith_status unpack(buffer *b, virtual_table *t, const kith_study *study, bool *good,
                          kith_error *error)
{
    *good = get_text(b, &t->about.study) && get_text(b, &t->about.digest) &&
            get_text(b, &t->about.run) && t->about.study != NULL && t->about.digest != NULL &&
            t->about.run != NULL && get_number(b, &t->n_columns) &&
            t->n_columns <= study->n_columns;
    if (!*good)
        return KITH_OK;
    unpacked u = {.table = t};
    t->domains = TRY_ALLOC(arena_zalloc(b->memory, t->n_columns, sizeof *t->domains), error);
    t->cells = TRY_ALLOC(arena_zalloc(b->memory, t->n_columns, sizeof *t->cells), error);
    u.intervals = TRY_ALLOC(arena_zalloc(b->memory, t->n_columns, sizeof *u.intervals), error);
    u.n_codes = TRY_ALLOC(arena_zalloc(b->memory, t->n_columns, sizeof *u.n_codes), error);
    for (uint32_t j = 0; j < t->n_columns && *good; j++) {
        const char *name = NULL;
        *good = get_text(b, &name) && name != NULL;
        if (*good)
            virtual_table_name(&t->domains[j], name, study, good);
        if (*good)
            TRY(unpack_values(b, &t->domains[j], good, error));
        if (*good)
            TRY(unpack_cells(b, &u, j, good, error));
        if (*good)
            TRY(virtual_labels_needed(study, name)
                    ? virtual_labels_read(&t->domains[j], study, b->memory, error)
                    : virtual_table_numbers(&t->domains[j], b->memory, error));
    }
    t->rows =
        (query_rows){.intervals = (const query_interval *const *)u.intervals, .n_codes = u.n_codes};
    *good = *good && b->at == b->used;
    return KITH_OK;
}

kith_status virtual_domains_unpack(virtual_table **table, const kith_study *study,
                                   unsigned char *bytes, size_t length, arena *memory,
                                   kith_error *error)
{
    bool good;
    buffer b = {.bytes = bytes, .used = length, .memory = memory};
    virtual_table *t = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *t), error);
    TRY(unpack(&b, t, study, &good, error));
    if (good)
        virtual_table_hash(t);
    *table = good ? t : NULL;
    return KITH_OK;
}

/* --- step 3 --- */

static kith_status receive(const virtual_table **shown, party *p, const virtual_query *q,
                           uint32_t from, const unsigned char *id, arena *memory, kith_error *error)
{
    uint64_t length;
    virtual_table *t = NULL;
    TRY(party_recv(p, from, &domains_type, &length, sizeof length, error));
    if (length > MAX_BYTES)
        return party_protocol_error(p, from, error, "sent domains of %llu bytes",
                                    (unsigned long long)length);
    unsigned char *bytes = TRY_ALLOC(arena_alloc(memory, length), error);
    TRY(smc_recv(p, from, &domains_type, bytes, length, error));
    TRY(virtual_domains_unpack(&t, q->study, bytes, length, memory, error));
    if (t == NULL || sodium_memcmp(t->id, id, VIRTUAL_RELEASE_ID) != 0)
        return party_protocol_error(p, from, error,
                                    "sent domains that are not those of the release");
    party_learns(p, DISCLOSE_RELEASE, "domains", t->n_columns);
    *shown = t;
    return KITH_OK;
}

/* For the ledger, before anything is sent. */
static kith_status note_domains(const virtual_query *q, arena *memory, kith_error *error)
{
    const virtual_table *t = q->mine;
    if (q->left == NULL)
        return KITH_OK;
    virtual_left_domain *all = TRY_ALLOC(arena_array(memory, t->n_columns, sizeof *all), error);
    for (uint32_t j = 0; j < t->n_columns; j++)
        all[j] = (virtual_left_domain){t->domains[j].name, t->rows.n_codes[j]};
    q->left->domains = all;
    q->left->n_domains = t->n_columns;
    return KITH_OK;
}

kith_status virtual_domains_tell(const virtual_table **shown, party *p, const virtual_query *q,
                                 const unsigned char id[VIRTUAL_RELEASE_ID], arena *memory,
                                 kith_error *error)
{
    const uint32_t self = party_self(p), first = q->asker == 0 ? 1 : 0;
    /* All know whether the asker is one of the sites. */
    if (q->asker_is_site)
        return KITH_OK;
    if (self == q->asker)
        return receive(shown, p, q, first, id, memory, error);
    if (self != first)
        return KITH_OK;
    buffer b = {.memory = memory};
    TRY(pack(&b, q->mine, error));
    TRY(note_domains(q, memory, error));
    const uint64_t length = b.used;
    TRY(party_send(p, q->asker, &domains_type, &length, sizeof length, error));
    return smc_send(p, q->asker, &domains_type, b.bytes, b.used, error);
}
