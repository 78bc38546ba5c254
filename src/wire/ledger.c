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
    for (size_t i = 0; i < l->lines; i++) {
        size_t at = (l->last_line + i) % l->lines; /* traffic comes in series */
        ledger_line *line = &l->line[at];
        if (line->peer == peer && same(line->type, type->name) && same(line->step, step)) {
            l->last_line = at;
            return line;
        }
    }
    ledger_line *larger = grown(l->memory, l->line, l->lines, &l->line_room, sizeof *larger);
    if (larger == NULL)
        return NULL;
    l->line = larger;
    l->last_line = l->lines++;
    l->line[l->last_line] = (ledger_line){
        .step = step, .type = type->name, .disclosure = type->disclosure, .peer = peer};
    return &l->line[l->last_line];
}

static void add(ledger_count *to, uint64_t messages, uint64_t bytes)
{
    to->messages += messages;
    to->bytes += bytes;
}

bool ledger_sent(ledger *l, const char *step, const message_type *type, uint32_t peer,
                 uint64_t messages, uint64_t bytes)
{
    ledger_line *line = find_line(l, step, type, peer);
    if (line == NULL)
        return false;
    add(&line->sent, messages, bytes);
    add(&l->sent, messages, bytes);
    return true;
}

bool ledger_received(ledger *l, const char *step, const message_type *type, uint32_t peer,
                     uint64_t messages, uint64_t bytes)
{
    ledger_line *line = find_line(l, step, type, peer);
    if (line == NULL)
        return false;
    add(&line->received, messages, bytes);
    add(&l->received, messages, bytes);
    return true;
}

bool ledger_rounds(ledger *l, const char *step, uint32_t rounds)
{
    l->rounds += rounds;
    for (size_t i = 0; i < l->steps; i++)
        if (same(l->step[i].name, step)) {
            l->step[i].rounds += rounds;
            return true;
        }
    ledger_step *larger = grown(l->memory, l->step, l->steps, &l->step_room, sizeof *larger);
    if (larger == NULL)
        return false;
    l->step = larger;
    l->step[l->steps++] = (ledger_step){step, rounds};
    return true;
}

bool ledger_learns(ledger *l, const char *step, disclosure kind, const char *what, uint64_t count)
{
    for (size_t i = l->lessons; i-- > 0;) {
        ledger_lesson *lesson = &l->lesson[i];
        if (lesson->kind == kind && same(lesson->what, what) && same(lesson->step, step)) {
            lesson->times++;
            lesson->count += count;
            return true;
        }
    }
    ledger_lesson *larger =
        grown(l->memory, l->lesson, l->lessons, &l->lesson_room, sizeof *larger);
    if (larger == NULL)
        return false;
    l->lesson = larger;
    l->lesson[l->lessons++] = (ledger_lesson){step, what, kind, 1, count};
    return true;
}

uint64_t ledger_learned(const ledger *l, disclosure kind)
{
    uint64_t times = 0;
    for (size_t i = 0; i < l->lessons; i++)
        if (l->lesson[i].kind == kind)
            times += l->lesson[i].times;
    return times;
}

void ledger_called(ledger *l, const char *primitive)
{
    size_t i = 0;
    while (i < LEDGER_PRIMITIVES - 1 && l->called[i].primitive != NULL &&
           strcmp(l->called[i].primitive, primitive) != 0)
        i++;
    l->called[i].primitive = primitive;
    l->called[i].calls++;
    l->calls++;
}
