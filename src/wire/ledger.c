#include "wire/ledger.h"

#include <string.h>

void ledger_init(ledger *l, arena *memory)
{
    *l = (ledger){.memory = memory};
}

/* Room for one more item of an array that doubles. */
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

static bool same(const char *a, const char *b)
{
    return a == b || strcmp(a, b) == 0;
}

static ledger_line *find_line(ledger *l, const char *step, const message_type *type, uint32_t peer)
{
    for (size_t i = 0; i < l->n_lines; i++) {
        size_t at = (l->last_line + i) % l->n_lines; /* traffic comes in series */
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

static void add(ledger_count *to, uint64_t n_messages, uint64_t bytes)
{
    to->n_messages += n_messages;
    to->bytes += bytes;
}

bool ledger_sent(ledger *l, const char *step, const message_type *type, uint32_t peer,
                 uint64_t n_messages, uint64_t bytes)
{
    ledger_line *line = find_line(l, step, type, peer);
    if (line == NULL)
        return false;
    add(&line->sent, n_messages, bytes);
    add(&l->sent, n_messages, bytes);
    return true;
}

bool ledger_received(ledger *l, const char *step, const message_type *type, uint32_t peer,
                     uint64_t n_messages, uint64_t bytes)
{
    ledger_line *line = find_line(l, step, type, peer);
    if (line == NULL)
        return false;
    add(&line->received, n_messages, bytes);
    add(&l->received, n_messages, bytes);
    return true;
}

bool ledger_rounds(ledger *l, const char *step, uint32_t n_rounds)
{
    l->n_rounds += n_rounds;
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
    for (size_t i = l->n_disclosures; i-- > 0;) {
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
    l->called[i].primitive = primitive;
    l->called[i].n_calls++;
    l->n_calls++;
}
