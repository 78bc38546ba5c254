#include "wire/ledger.h"

#include <string.h>

void ledger_init(ledger *l, arena *memory)
{
    *l = (ledger){.memory = memory};
}

/* Makes room for one more item and returns the array, NULL if out of memory. */
static void *grown(arena *memory, void *items, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return items;
    size_t wanted = arena_capacity(*room, count + 1);
    void *larger = arena_resize_array(memory, items, *room, wanted, size);
    if (larger != NULL)
        *room = wanted;
    return larger;
}

/* Texts are usually the same static text, but two files may have equal ones. */
static bool same(const char *a, const char *b)
{
    return a == b || strcmp(a, b) == 0;
}

#if KITH_DEBUG
/* Takes quadratic time in the number of lines, which is a few hundred: called when the ledger is
 * written. */
void ledger_check(const ledger *l)
{
    ledger_count sent = {0}, received = {0};
    uint64_t n_calls = 0, n_rounds = 0;
    ASSERT(l->n_lines <= l->line_room && l->n_steps <= l->step_room);
    ASSERT(l->n_disclosures <= l->disclosure_room);
    ASSERT(l->last_line < l->n_lines || l->n_lines == 0);
    for (size_t i = 0; i < l->n_lines; i++) {
        const ledger_line *a = &l->lines[i];
        sent.n_messages += a->sent.n_messages;
        sent.bytes += a->sent.bytes;
        received.n_messages += a->received.n_messages;
        received.bytes += a->received.bytes;
        for (size_t j = 0; j < i; j++) {
            const ledger_line *b = &l->lines[j];
            ASSERT(a->peer != b->peer || !same(a->type, b->type) || !same(a->step, b->step));
        }
    }
    for (size_t i = 0; i < l->n_disclosures; i++) {
        const ledger_disclosure *a = &l->disclosures[i];
        ASSERT(a->times > 0 && a->kind < DISCLOSURES);
        for (size_t j = 0; j < i; j++) {
            const ledger_disclosure *b = &l->disclosures[j];
            ASSERT(a->kind != b->kind || !same(a->what, b->what) || !same(a->step, b->step));
        }
    }
    for (size_t i = 0; i < l->n_steps; i++)
        n_rounds += l->steps[i].n_rounds;
    for (size_t i = 0; i < LEDGER_PRIMITIVES; i++)
        n_calls += l->called[i].n_calls;
    ASSERT(sent.n_messages == l->sent.n_messages && sent.bytes == l->sent.bytes);
    ASSERT(received.n_messages == l->received.n_messages && received.bytes == l->received.bytes);
    ASSERT(n_rounds <= l->n_rounds && n_calls == l->n_calls);
}
#endif

/* Finds the line or adds it. */
static ledger_line *find_line(ledger *l, const char *step, const message_type *type, uint32_t peer)
{
    for (size_t i = 0; i < l->n_lines; i++) {
        size_t at = (l->last_line + i) % l->n_lines; /* the last one first */
        ledger_line *line = &l->lines[at];
        if (line->peer == peer && same(line->type, type->name) && same(line->step, step)) {
            l->last_line = at;
            return line;
        }
    }
    ledger_line *larger = grown(l->memory, l->lines, l->n_lines, &l->line_room, sizeof *larger);
    if (larger == NULL)
        return NULL;
    l->lines = larger;
    l->last_line = l->n_lines++;
    l->lines[l->last_line] = (ledger_line){
        .step = step, .type = type->name, .disclosure = type->disclosure, .peer = peer};
    return &l->lines[l->last_line];
}

/* Adds to a line and to the sum of all lines. */
static bool ledger_add(ledger_count *line, ledger_count *sum, uint64_t n_messages, uint64_t bytes)
{
    line->n_messages += n_messages;
    line->bytes += bytes;
    sum->n_messages += n_messages;
    sum->bytes += bytes;
    return true;
}

bool ledger_sent(ledger *l, const char *step, const message_type *type, uint32_t peer,
                 uint64_t n_messages, uint64_t bytes)
{
    ledger_line *line = find_line(l, step, type, peer);
    return line != NULL && ledger_add(&line->sent, &l->sent, n_messages, bytes);
}

bool ledger_received(ledger *l, const char *step, const message_type *type, uint32_t peer,
                     uint64_t n_messages, uint64_t bytes)
{
    ledger_line *line = find_line(l, step, type, peer);
    return line != NULL && ledger_add(&line->received, &l->received, n_messages, bytes);
}

bool ledger_rounds(ledger *l, const char *step, uint32_t n_rounds)
{
    l->n_rounds += n_rounds; /* first: the total is right even if the step finds no memory */
    for (size_t i = 0; i < l->n_steps; i++)
        if (same(l->steps[i].name, step)) {
            l->steps[i].n_rounds += n_rounds;
            return true;
        }
    ledger_step *larger = grown(l->memory, l->steps, l->n_steps, &l->step_room, sizeof *larger);
    if (larger == NULL)
        return false;
    l->steps = larger;
    l->steps[l->n_steps++] = (ledger_step){step, n_rounds};
    return true;
}

bool ledger_learns(ledger *l, const char *step, disclosure kind, const char *what, uint64_t count)
{
    ASSERT(kind < DISCLOSURES);
    for (size_t i = l->n_disclosures; i-- > 0;) { /* recent ones are likely */
        ledger_disclosure *entry = &l->disclosures[i];
        if (entry->kind == kind && same(entry->what, what) && same(entry->step, step)) {
            entry->times++;
            entry->count += count;
            return true;
        }
    }
    ledger_disclosure *larger =
        grown(l->memory, l->disclosures, l->n_disclosures, &l->disclosure_room, sizeof *larger);
    if (larger == NULL)
        return false;
    l->disclosures = larger;
    l->disclosures[l->n_disclosures++] = (ledger_disclosure){step, what, kind, 1, count};
    return true;
}

uint64_t ledger_learned(const ledger *l, disclosure kind)
{
    uint64_t times = 0;
    for (size_t i = 0; i < l->n_disclosures; i++)
        if (l->disclosures[i].kind == kind)
            times += l->disclosures[i].times;
    return times;
}

void ledger_called(ledger *l, const char *primitive)
{
    size_t i = 0;
    while (i < LEDGER_PRIMITIVES - 1 && l->called[i].primitive != NULL &&
           strcmp(l->called[i].primitive, primitive) != 0)
        i++;
    /* LEDGER_PRIMITIVES must exceed the number of primitives. */
    ASSERT(l->called[i].primitive == NULL || strcmp(l->called[i].primitive, primitive) == 0);
    l->called[i].primitive = primitive;
    l->called[i].n_calls++;
    l->n_calls++;
}
