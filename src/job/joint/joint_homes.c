#include "job/joint/joint_homes.h"

#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "job/joint/joint_domain.h"
#include "job/joint/unit_texts.h"
#include "protocol/private_choices.h"
#include "smc/sets/homes.h"
#include "table/rows/row_groups.h"
#include "wire/party_work.h"

/* The persons of this party. */
typedef struct persons {
    joint_run *j;
    row_groups groups; /* rows by the cells of the unit */
    uint32_t *number;  /* [groups] UINT32_MAX: a cell is missing */
    commute_key *keys; /* [n] the cells of a person: the length and the text of each */
    uint32_t n;
} persons;

/* The key of the person of a row; *length 0 if a cell is missing. `to` NULL: only its length. */
static void write_key(unsigned char *to, size_t *length, const joint_run *j,
                      const uint32_t *columns, uint32_t row)
{
    *length = 0;
    for (uint32_t i = 0; i < j->study->n_unit; i++) {
        const column *c = &j->table->columns[columns[i]];
        if (c->codes[row] == TABLE_MISSING) {
            *length = 0;
            return;
        }
        const uint32_t bytes = dictionary_length(&c->values, c->codes[row]);
        if (to != NULL) {
            memcpy(to + *length, &bytes, sizeof bytes);
            memcpy(to + *length + sizeof bytes, dictionary_text(&c->values, c->codes[row]), bytes);
        }
        *length += sizeof bytes + bytes;
    }
}

static kith_status list_persons(void *user, kith_error *error)
{
    persons *p = user;
    joint_run *j = p->j;
    arena *memory = j->context->memory;
    uint32_t *columns = TRY_ARRAY(columns, memory, j->study->n_unit, error);
    TRY(unit_texts_match(&j->table, j->study, j->table, memory, error));
    for (uint32_t i = 0; i < j->study->n_unit; i++)
        columns[i] = table_find(j->table, j->study->columns[j->study->unit[i]].name);
    TRY(row_groups_by(&p->groups, memory, j->table, columns, j->study->n_unit, error));
    p->number = TRY_ARRAY(p->number, memory, p->groups.count, error);
    p->keys = TRY_ARRAY(p->keys, memory, p->groups.count, error);
    uint32_t seen = 0; /* groups are numbered in the order of their first rows */
    for (uint32_t row = 0; row < j->table->n_rows; row++) {
        size_t length;
        if (p->groups.of[row] < seen)
            continue;
        write_key(NULL, &length, j, columns, row);
        p->number[seen++] = length == 0 ? UINT32_MAX : p->n;
        if (length == 0)
            continue;
        unsigned char *key = TRY_ALLOC(arena_alloc(memory, length), error);
        write_key(key, &length, j, columns, row);
        p->keys[p->n++] = (commute_key){key, length};
    }
    return KITH_OK;
}

static kith_status choose(persons *p, bool *here, kith_error *error)
{
    joint_run *j = p->j;
    unsigned char secret[PRIVATE_CHOICES_BYTES];
    size_t capacity = 0;
    bool any;
    _Static_assert((int)PRIVATE_CHOICES_BYTES == (int)HOMES_SECRET, "one is the other");
    if (j->study->joint.hide_sizes)
        TRY(joint_domain_capacity(j->party, p->n, &capacity, error));
    private_choices_key(secret, j->place->choices, "homes");
    const homes_task task = {.keys = p->keys,
                             .n = p->n,
                             .capacity = capacity,
                             .max_keys = j->study->joint.max_rows,
                             .secret = secret,
                             .pool = j->context->pool};
    const kith_status status = homes_choose(j->party, here, &any, &task, error);
    secret_memory_wipe(secret, sizeof secret);
    j->nobody_shared = status == KITH_OK && !any;
    return status;
}

kith_status joint_homes_find(joint_run *j, const bool **home, kith_error *error)
{
    persons p = {.j = j};
    *home = NULL;
    if (j->study->joint.overlap != OVERLAP_MATCHED)
        return KITH_OK;
    const char *before = party_step(j->party, "homes");
    context_progress(j->context, "homes", -1);
    TRY(party_work(j->party, &(party_work_task){.work = list_persons, .user = &p}, error));
    bool *here = TRY_ARRAY(here, j->context->memory, p.n, error);
    bool *rows = TRY_ARRAY(rows, j->context->memory, j->table->n_rows, error);
    TRY(choose(&p, here, error));
    for (uint32_t row = 0; row < j->table->n_rows; row++) {
        const uint32_t number = p.number[p.groups.of[row]];
        rows[row] = number == UINT32_MAX || here[number];
    }
    *home = rows;
    if (j->nobody_shared)
        context_progress(j->context, "homes: nobody was found to be at two sites", -1);
    party_step(j->party, before);
    return KITH_OK;
}

void joint_homes_warn(kith_document *d, document_node *warnings, const joint_run *j)
{
    if (j->nobody_shared)
        document_put_text(d, warnings, NULL,
                          "nobody was found to be at two sites: the sites may give persons "
                          "different numbers, or write them differently ('match: case' or 'match: "
                          "digits' compare less), or nobody is at two of them ('overlap: none')");
}
