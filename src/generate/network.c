#include "generate/network.h"

#include <stdlib.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "generate/alias.h"

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
    TRY_GROW(r->values, r->capacity, r->count + (size_t)1, r->memory, error);
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
static bool network_read_range(const char *text, uint32_t *first, uint32_t *last)
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
    bool spread = r->node->kind == NODE_SPREAD, range = network_read_range(item, &first, &last);
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

/* Texts sit in slots of one size, so that a cell is copied with a constant length. */
typedef struct slot {
    uint8_t length;
    char bytes[NETWORK_TEXT];
} slot;

/* Invariant: `cells` holds one alias table of `count` cells per combination of parent values;
 * stride[i] is what parent i's value adds to the number of the table. */
typedef struct table {
    const node *node;
    value *values;
    uint32_t count;
    uint32_t n_parents;
    uint32_t parents[NETWORK_PARENTS]; /* numbers of earlier variables */
    uint32_t stride[NETWORK_PARENTS];
    alias_cell *cells;
    slot *slots;
    uint64_t missing_below; /* a draw below it leaves the cell empty */
} table;

/* One table per variable, in the order of the profile: parents come first. */
struct network {
    const profile *profile;
    table tables[NETWORK_NODES];
    uint32_t n_tables;
    uint32_t columns[NETWORK_NODES]; /* the variables that are columns, in output order */
    uint32_t n_columns;
};

/* The variable of this name among those that the network has; their number if there is none. */
static uint32_t network_find(const network *net, const char *name, size_t length)
{
    uint32_t i = 0;
    while (i < net->n_tables && (strncmp(net->tables[i].node->name, name, length) != 0 ||
                                 net->tables[i].node->name[length] != '\0'))
        i++;
    return i;
}

/* The variables that a text names, with a blank between names (NULL: none). */
static kith_status find_all(uint32_t *found, uint32_t *count, uint32_t max, const network *net,
                            const char *names, kith_error *error)
{
    for (*count = 0; names != NULL && *names != '\0'; ++*count) {
        size_t length = strcspn(names, " ");
        uint32_t i = network_find(net, names, length);
        if (i == net->n_tables || *count == max)
            return error_set(error, KITH_BUG, "profile %s: variable '%s'", net->profile->name,
                             names);
        found[*count] = i;
        names += length + strspn(names + length, " ");
    }
    return KITH_OK;
}

/* What a value has without a function: its weight times a factor for each parent's value. */
static uint32_t multiply(const network *net, const table *t, const value *v,
                         const value *const *parents)
{
    uint32_t weight = v->weight, at = 0;
    for (uint32_t i = 0; i < NETWORK_PARENTS && parents[i] != NULL; i++) {
        weight *= v->numbers[at + parents[i]->code];
        at += net->tables[t->parents[i]].count;
    }
    return weight;
}

/* All conditional distributions are computed beforehand, so that drawing a cell costs one look-up
 * however complicated the weights are. */
static kith_status fill_cells(const network *net, table *t, uint32_t n_tables, arena *memory,
                              kith_error *error)
{
    t->cells = TRY_ARRAY(t->cells, memory, (size_t)n_tables * t->count, error);
    uint32_t *weights = TRY_ARRAY(weights, memory, t->count, error);
    uint64_t *scratch = TRY_ALLOC(arena_array(memory, t->count, 3 * sizeof *scratch), error);
    for (uint32_t c = 0; c < n_tables; c++) {
        const value *given[NETWORK_PARENTS] = {NULL};
        for (uint32_t i = 0; i < t->n_parents; i++) {
            const table *parent = &net->tables[t->parents[i]];
            given[i] = &parent->values[c / t->stride[i] % parent->count];
        }
        for (uint32_t v = 0; v < t->count; v++)
            weights[v] = t->node->weight != NULL ? t->node->weight(&t->values[v], given)
                                                 : multiply(net, t, &t->values[v], given);
        if (!alias_build(t->cells + (size_t)c * t->count, weights, t->count, scratch))
            return error_set(error, KITH_BUG, "profile %s: weights of %s", net->profile->name,
                             t->node->name);
    }
    return KITH_OK;
}

/* A serial number is not drawn and has no tables; a spread has weights, but its texts are numbers
 * that are made when they are needed. */
static kith_status table_init(const network *net, table *t, arena *memory, const node *n,
                              kith_error *error)
{
    t->node = n;
    t->missing_below = n->missing * (UINT64_MAX / 10000);
    TRY(find_all(t->parents, &t->n_parents, NETWORK_PARENTS, net, n->given, error));
    if (n->kind == NODE_SERIAL)
        return KITH_OK;
    /* The values of a variable, from the text that a profile has of them. */
    reading r = {.memory = memory, .node = n};
    if (n->values != NULL) {
        char *line = TRY_ALLOC(arena_strdup(r.memory, r.node->values), error);
        for (char *next_line; line != NULL; line = next_line) {
            next_line = cut(line, "\n");
            char *item = read_groups(&r, line);
            for (char *next; item != NULL; item = next) {
                next = cut(item, ", ");
                TRY(read_item(&r, item, error));
            }
        }
    }
    for (uint32_t code = 0; n->format != NULL && code < n->count; code++) {
        char text[NETWORK_TEXT + 1];
        n->format(code, text);
        char *kept = TRY_ALLOC(arena_strdup(memory, text), error);
        TRY(append(&r, (value){.text = kept}, error));
    }
    t->values = r.values;
    t->count = r.count;
    uint32_t n_tables = 1; /* one for each combination of the parents' values */
    for (uint32_t i = 0; i < t->n_parents; i++) {
        t->stride[i] = n_tables;
        n_tables *= net->tables[t->parents[i]].count;
    }
    TRY(fill_cells(net, t, n_tables, memory, error));
    if (n->kind != NODE_VALUES)
        return KITH_OK;
    t->slots = TRY_ZEROS(t->slots, memory, t->count, error);
    for (uint32_t v = 0; v < t->count; v++) {
        t->slots[v].length = (uint8_t)strlen(t->values[v].text);
        memcpy(t->slots[v].bytes, t->values[v].text, t->slots[v].length);
    }
    return KITH_OK;
}

kith_status network_new(network **result, arena *memory, const profile *p, kith_error *error)
{
    network *net = TRY_ZEROS(net, memory, 1, error);
    net->profile = p;
    for (; p->nodes[net->n_tables].name != NULL; net->n_tables++)
        TRY(table_init(net, &net->tables[net->n_tables], memory, &p->nodes[net->n_tables], error));
    TRY(find_all(net->columns, &net->n_columns, NETWORK_NODES, net, p->columns, error));
    *result = net;
    return KITH_OK;
}

uint32_t network_n_columns(const network *net)
{
    return net->n_columns;
}

const char *network_column(const network *net, uint32_t index)
{
    return net->tables[net->columns[index]].node->name;
}

const value *network_values(const network *net, const char *name, uint32_t *count)
{
    uint32_t i = network_find(net, name, strlen(name));
    *count = i < net->n_tables ? net->tables[i].count : 0;
    return i < net->n_tables ? net->tables[i].values : NULL;
}

/* One cell more than there are columns: write_cell copies a whole slot, which may reach behind the
 * last cell. */
size_t network_row_bytes(const network *net)
{
    return (size_t)(net->n_columns + 1) * NETWORK_CELL_MAX;
}

/* Faster than snprintf, which would be called for every row. */
static char *write_number(char *out, uint64_t number)
{
    char digits[20];
    size_t n = 0;
    do
        digits[n++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (n > 0)
        *out++ = digits[--n];
    return out;
}

/* `code` was drawn for this node; the coins for missing cells and spreads come after all codes. */
static char *write_cell(const table *t, uint32_t code, rng *r, uint64_t row, char *out)
{
    if (t->missing_below > 0 && rng_next(r) < t->missing_below)
        return out;
    switch (t->node->kind) {
    case NODE_SERIAL: return write_number(out, 10000001 + row);
    case NODE_SPREAD:
        return write_number(out,
                            t->values[code].numbers[0] + rng_below(r, t->values[code].numbers[1]));
    case NODE_VALUES: break;
    }
    ASSERT(code < t->count);
    memcpy(out, t->slots[code].bytes, NETWORK_TEXT);
    return out + t->slots[code].length;
}

/* First all variables are drawn, in the order of the profile, since children need their parents;
 * then the columns are written, in the order of the output. */
char *network_row(const network *net, rng *r, uint64_t row, char *out)
{
    uint32_t code[NETWORK_NODES];
    for (uint32_t i = 0; i < net->n_tables; i++) {
        const table *t = &net->tables[i];
        code[i] = 0;
        if (t->cells == NULL)
            continue;
        size_t which = 0;
        for (uint32_t j = 0; j < t->n_parents; j++)
            which += (size_t)t->stride[j] * code[t->parents[j]];
        code[i] = alias_draw(t->cells + which * t->count, t->count, r);
    }
    for (uint32_t i = 0; i < net->n_columns; i++) {
        uint32_t n = net->columns[i];
        out = write_cell(&net->tables[n], code[n], r, row, out);
        *out++ = ',';
    }
    out[-1] = '\n';
    return out;
}
