#include "generate/values.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"

/* The values read so far, and the groups of the line that is being read. */
typedef struct reading {
    arena *memory;
    const node *node;
    value *values;
    uint32_t count;
    size_t capacity;
    const char *up[NETWORK_LEVELS];
} reading;

static kith_status append(reading *r, value v, kith_error *error)
{
    if (r->count == r->capacity) {
        size_t capacity = arena_capacity(r->capacity, r->count + 1);
        r->values = TRY_ALLOC(
            arena_resize_array(r->memory, r->values, r->capacity, capacity, sizeof *r->values),
            error);
        r->capacity = capacity;
    }
    v.code = r->count;
    memcpy(v.up, r->up, sizeof v.up);
    r->values[r->count++] = v;
    return KITH_OK;
}

/* "FINEST/WIDER: " before the values of a line. */
static char *read_groups(reading *r, char *line)
{
    memset(r->up, 0, sizeof r->up);
    char *colon = strstr(line, ": ");
    if (colon == NULL)
        return line;
    *colon = '\0';
    for (int i = 0; i < NETWORK_LEVELS && line != NULL; i++)
        r->up[i] = strsep(&line, "/");
    return colon + 2;
}

/* "FIRST..LAST" */
static bool read_range(const char *text, uint32_t *first, uint32_t *last)
{
    char *end;
    *first = (uint32_t)strtoul(text, &end, 10);
    if (end == text || strncmp(end, "..", 2) != 0)
        return false;
    *last = (uint32_t)strtoul(end + 2, NULL, 10);
    return true;
}

/* "TEXT=WEIGHT NUMBER…"; a text FIRST..LAST stands for all of these numbers, or for the range. */
static kith_status read_item(reading *r, char *item, kith_error *error)
{
    char *numbers = strrchr(item, '=');
    if (numbers == NULL)
        return error_set(error, KITH_BUG, "values of %s: '%s'", r->node->name, item);
    *numbers++ = '\0';
    value v = {.text = item, .weight = (uint32_t)strtoul(numbers, &numbers, 10)};
    for (int i = 0; i < NETWORK_NUMBERS && *numbers == ' '; i++)
        v.numbers[i] = (uint32_t)strtoul(numbers, &numbers, 10);
    uint32_t first = 0, last = 0;
    bool spread = r->node->kind == NODE_SPREAD, range = read_range(item, &first, &last);
    if (*numbers != '\0' || strlen(item) > NETWORK_TEXT || (spread && !range) ||
        (range && last < first))
        return error_set(error, KITH_BUG, "values of %s: '%s'", r->node->name, item);
    if (spread) {
        v.numbers[0] = first;
        v.numbers[1] = last - first + 1;
    }
    if (spread || !range)
        return append(r, v, error);
    for (; first <= last; first++) {
        v.text = TRY_ALLOC(arena_printf(r->memory, "%u", first), error);
        TRY(append(r, v, error));
    }
    return KITH_OK;
}

/* Cuts `text` at the next `separator`; returns what follows, or NULL. */
static char *cut(char *text, const char *separator)
{
    char *found = strstr(text, separator);
    if (found == NULL)
        return NULL;
    *found = '\0';
    return found + strlen(separator);
}

static kith_status read_text(reading *r, kith_error *error)
{
    char *line = TRY_ALLOC(arena_strdup(r->memory, r->node->values), error);
    for (char *next_line; line != NULL; line = next_line) {
        next_line = cut(line, "\n");
        char *item = read_groups(r, line);
        for (char *next; item != NULL; item = next) {
            next = cut(item, ", ");
            TRY(read_item(r, item, error));
        }
    }
    return KITH_OK;
}

kith_status values_read(value **values, uint32_t *count, arena *memory, const node *n,
                        kith_error *error)
{
    reading r = {.memory = memory, .node = n};
    if (n->values != NULL)
        TRY(read_text(&r, error));
    for (uint32_t code = 0; n->format != NULL && code < n->count; code++) {
        char text[NETWORK_TEXT + 1];
        n->format(code, text);
        char *kept = TRY_ALLOC(arena_strdup(memory, text), error);
        TRY(append(&r, (value){.text = kept}, error));
    }
    *values = r.values;
    *count = r.count;
    return KITH_OK;
}
