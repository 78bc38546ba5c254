#include "job/joint/joint_domain.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "smc/compare/kth.h"
#include "smc/compare/logic.h"
#include "smc/sets/mix_union.h"
#include "study/holders.h"
#include "table/table_builder.h"
#include "wire/party_work.h"

enum { HEAD = 4, LONGEST = 65535 }; /* column and length of a value in front of its text */
enum { MAX_BITS = 32 };             /* a union has at most 2^32 rows */

typedef struct domains {
    joint_domain *out;
    party *party;
    const kith_study *study;
    const kith_table *mine;
    context *context;
    bool *united;       /* [n_columns of the study] the parties unite their values */
    uint32_t *place;    /* [n_columns of the study] column of `mine` */
    mix_union_rows all; /* the values of all parties, */
    size_t width;       /* … each of so many bytes */
} domains;

bool joint_domain_unites(const kith_study *study, uint32_t number)
{
    return holders_release(study, number) && !holders_public_values(study, number);
}

/* True if a row that will be released has a missing cell in this column. */
static bool lacks_a_cell(const domains *d, uint32_t number)
{
    if (!holders_may_miss(d->study, number))
        return false;
    const uint32_t *codes = d->mine->columns[d->place[number]].codes;
    for (uint32_t row = 0; row < d->mine->n_rows; row++)
        if (codes[row] == TABLE_MISSING)
            return true;
    return false;
}

/* Only the OR of all parties' answers becomes known. */
static kith_status ask_for_missing(domains *d, kith_error *error)
{
    uint32_t n_columns = d->study->n_columns;
    bool any = false;
    for (uint32_t i = 0; i < n_columns; i++)
        any = any || holders_may_miss(d->study, i);
    if (!any)
        return KITH_OK;
    uint64_t *bits = TRY_ZEROS(bits, d->context->memory, smc_words(n_columns), error);
    for (uint32_t i = 0; i < n_columns; i++)
        smc_set_bit(bits, i, lacks_a_cell(d, i));
    TRY(logic_or(d->party, bits, bits, n_columns, SMC_ALL, error));
    for (uint32_t i = 0; i < n_columns; i++)
        d->out->missing[i] = smc_bit(bits, i) != 0;
    return KITH_OK;
}

static const dictionary *values_of(const domains *d, uint32_t number)
{
    return &d->mine->columns[d->place[number]].values;
}

/* The length of the longest value of all parties: rows of the union must have the same width, and
 * the maximum tells less than all lengths. */
static kith_status joint_longest(const domains *d, size_t *bytes, size_t *count, kith_error *error)
{
    int64_t mine = 0, all = 0;
    bool found = false;
    kth_query query = {
        .kind = KTH_LARGEST, .low = 0, .high = LONGEST, .rank = 1, .max_values = PARTY_MAX};
    /* The length of this party's longest value, and how many values it has in united columns. */
    *count = 0;
    for (uint32_t i = 0; i < d->study->n_columns; i++) {
        if (!d->united[i])
            continue;
        const dictionary *values = values_of(d, i);
        for (uint32_t code = 0; code < values->count; code++) {
            int64_t length = dictionary_length(values, code);
            if (length > LONGEST)
                return error_set(error, KITH_DATA,
                                 "%s: a value of column %s has %lld bytes; %d is "
                                 "the most in a joint run",
                                 d->mine->source, d->study->columns[i].name, (long long)length,
                                 LONGEST);
            mine = length > mine ? length : mine;
        }
        *count += values->count;
    }
    kth_values values = {&mine, 1};
    TRY(kth(d->party, &all, &found, &query, &values, 1, error));
    /* This party's values must fit into the rows, whatever the others say. */
    if (!found || all < mine)
        return error_set(error, KITH_PEER,
                         "the longest value of all parties has %lld bytes, one of this party %lld",
                         (long long)all, (long long)mine);
    *bytes = (size_t)all;
    return KITH_OK;
}

kith_status joint_domain_capacity(party *p, size_t count, size_t *capacity, kith_error *error)
{
    int64_t mine = 0, all = 0;
    bool found = false;
    kth_query query = {
        .kind = KTH_LARGEST, .low = 0, .high = MAX_BITS, .rank = 1, .max_values = PARTY_MAX};
    while (count >> mine != 0)
        mine++;
    kth_values values = {&mine, 1};
    TRY(kth(p, &all, &found, &query, &values, 1, error));
    *capacity = (size_t)1 << all;
    if (!found || all < mine)
        return error_set(error, KITH_PEER,
                         "no party is said to have more than %zu values, but this one has",
                         *capacity);
    return KITH_OK;
}

/* Unites the values of all columns at once: a row is the column, the length and the text. */
static kith_status joint_domain_unite(const domains *d, mix_union_rows *all, size_t *width,
                                      kith_error *error)
{
    size_t longest = 0, count;
    TRY(joint_longest(d, &longest, &count, error));
    *width = HEAD + longest;
    mix_union_shape shape = {.row_bytes = *width};
    if (d->study->joint.hide_sizes)
        TRY(joint_domain_capacity(d->party, count, &shape.capacity, error));
    mix_union_rows mine = {arena_zalloc(d->context->memory, count, *width), 0};
    TRY_ALLOC(mine.bytes, error);
    for (uint32_t i = 0; i < d->study->n_columns; i++)
        for (uint32_t code = 0; d->united[i] && code < values_of(d, i)->count; code++) {
            const uint32_t length = dictionary_length(values_of(d, i), code);
            unsigned char *row = (unsigned char *)mine.bytes + mine.count++ * *width;
            row[0] = (unsigned char)(i >> 8);
            row[1] = (unsigned char)i;
            row[2] = (unsigned char)(length >> 8);
            row[3] = (unsigned char)length;
            memcpy(row + HEAD, dictionary_text(values_of(d, i), code), length);
        }
    kith_status status = mix_union(d->party, all, &mine, shape, error);
    /* The capacity is what some party claims to need. */
    if (status == KITH_NOMEM && shape.capacity / 4 > mine.count)
        return error_set(error, KITH_PEER,
                         "a party claims to have up to %zu values, for which there is no memory",
                         shape.capacity);
    return status;
}

/* Makes the joint dictionary of a column and translates this party's codes. Rows of the union come
 * first in the builder, then this party's values once more: the codes of the latter are the
 * translation. */
static kith_status recode(const domains *d, uint32_t number, const mix_union_rows *all,
                          size_t width, column *to, kith_error *error)
{
    const study_column *s = &d->study->columns[number];
    const dictionary *own = values_of(d, number);
    kith_column_spec spec = {.name = s->name, .type = s->type, .date_format = s->date_format};
    static const char *const none[] = {""};
    kith_table_options options =
        KITH_OPTIONS(kith_table_options, .missing_values = none); /* no value is missing */
    table_builder *b;
    kith_table *one;
    uint32_t united = 0;
    TRY(table_builder_new(&b, d->context->memory, "the values of all parties", &spec, 1, &options,
                          error));
    for (size_t r = 0; r < all->count; r++) {
        const unsigned char *row = all->bytes + r * width;
        size_t length = (size_t)row[2] << 8 | row[3];
        if (((uint32_t)row[0] << 8 | row[1]) != number)
            continue;
        if (length > width - HEAD ||
            table_builder_cell(b, 0, (const char *)row + HEAD, length, error) != KITH_OK) {
            /* The union hides who sent a value, so no party can be named. */
            char why[160];
            snprintf(why, sizeof why, "%.150s", error->message);
            return error_set(error, KITH_PEER,
                             "a party has a value in column %s that does not fit its type: %s",
                             d->study->columns[number].name, why);
        }
        TRY(table_builder_row(b, error));
        united++;
    }
    for (uint32_t code = 0; code < own->count; code++) {
        TRY(table_builder_cell(b, 0, dictionary_text(own, code), dictionary_length(own, code),
                               error));
        TRY(table_builder_row(b, error));
    }
    TRY(table_builder_finish(b, &one, error));
    to->values = one->columns[0].values;
    const uint32_t *from = d->mine->columns[d->place[number]].codes;
    for (uint32_t row = 0; row < d->mine->n_rows; row++)
        to->codes[row] =
            from[row] == TABLE_MISSING ? TABLE_MISSING : one->columns[0].codes[united + from[row]];
    return KITH_OK;
}

/* This party's rows with the released columns in study order, and those of the unit, as they are
 * here: they are counted, and never sent. */
static kith_status make_table(void *user, kith_error *error)
{
    domains *d = user;
    arena *memory = d->context->memory;
    kith_table *t = TRY_ZEROS(t, memory, 1, error);
    *t = *d->mine;
    t->memory = NULL; /* everything belongs to the context */
    t->owners = NULL;
    t->n_columns = 0;
    t->columns = TRY_ZEROS(t->columns, memory, d->study->n_columns, error);
    for (uint32_t i = 0; i < d->study->n_columns; i++) {
        if (!d->out->held[i] && !study_in_unit(d->study, i))
            continue;
        column *to = &t->columns[t->n_columns];
        *to = d->mine->columns[d->place[i]];
        to->place = t->n_columns++;
        if (!d->united[i])
            continue;
        to->codes = TRY_ARRAY(to->codes, memory, t->n_rows, error);
        TRY(recode(d, i, &d->all, d->width, to, error));
    }
    d->out->table = t;
    return KITH_OK;
}

kith_status joint_domain_agree(joint_domain *out, party *p, const kith_study *study,
                               const kith_table *mine, context *c, kith_error *error)
{
    domains d = {.out = out, .party = p, .study = study, .mine = mine, .context = c};
    d.width = HEAD;
    const char *before = party_step(p, "domains");
    *out = (joint_domain){.table = NULL};
    arena *memory = c->memory;
    const size_t n_columns = study->n_columns;
    d.united = arena_zalloc(memory, n_columns, sizeof *d.united);
    d.place = arena_zalloc(memory, n_columns, sizeof *d.place);
    out->held = arena_zalloc(memory, n_columns, sizeof *out->held);
    out->missing = arena_zalloc(memory, n_columns, sizeof *out->missing);
    if (d.united == NULL || d.place == NULL || out->held == NULL || out->missing == NULL)
        return error_nomem(error);
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const char *name = study->columns[i].name;
        out->held[i] = holders_release(study, i);
        d.united[i] = joint_domain_unites(study, i);
        d.place[i] = table_find(mine, name);
        if ((out->held[i] || study_in_unit(study, i)) && d.place[i] == UINT32_MAX)
            return error_set(error, KITH_DATA, "%s has no column %s, which the study names",
                             mine->source, name);
    }
    TRY(ask_for_missing(&d, error));
    bool any = false;
    for (uint32_t i = 0; i < study->n_columns; i++)
        any = any || d.united[i];
    if (any)
        TRY(joint_domain_unite(&d, &d.all, &d.width, error));
    TRY(party_work(p, &(party_work_task){.work = make_table, .user = &d}, error));
    party_step(p, before);
    return KITH_OK;
}
