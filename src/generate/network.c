#include "generate/network.h"

#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "generate/alias.h"

/* Texts sit in slots of one size, so that a cell is copied with a constant length. */
typedef struct slot {
    uint8_t length;
    char bytes[NETWORK_TEXT];
} slot;

/* Invariant: `cells` holds one alias table of `count` cells per combination of parent values;
 * stride[i] is what parent i's value adds to the number of the table. */
typedef struct table {
    const node *node;
    uint32_t count;
    uint32_t stride[NETWORK_PARENTS];
    alias_cell *cells;
    slot *slots;
    uint64_t missing_below; /* a draw below it leaves the cell empty */
} table;

/* One table per variable, in the order of the profile: parents come first. */
struct network {
    const profile *profile;
    table tables[NETWORK_NODES];
};

/* How many alias tables a variable needs: one for each combination of its parents' values. */
static uint32_t combinations(const profile *p, const node *n)
{
    uint32_t product = 1;
    for (uint32_t i = 0; i < n->n_parents; i++)
        product *= p->nodes[n->parents[i]].count;
    return product;
}

/* All conditional distributions are computed beforehand, so that drawing a cell costs one look-up
 * however complicated the weights are. */
static kith_status fill_cells(table *t, arena *memory, const profile *p, kith_error *error)
{
    const node *n = t->node;
    uint32_t n_tables = combinations(p, n);
    t->cells = TRY_ALLOC(arena_array(memory, (size_t)n_tables * n->count, sizeof *t->cells), error);
    uint32_t *weights = TRY_ALLOC(arena_array(memory, n->count, sizeof *weights), error);
    uint64_t *scratch = TRY_ALLOC(arena_array(memory, n->count, 3 * sizeof *scratch), error);
    for (uint32_t c = 0; c < n_tables; c++) {
        uint32_t given[NETWORK_PARENTS] = {0};
        for (uint32_t i = 0; i < n->n_parents; i++)
            given[i] = c / t->stride[i] % p->nodes[n->parents[i]].count;
        for (uint32_t v = 0; v < n->count; v++)
            weights[v] = n->weight != NULL ? n->weight(v, given) : n->values[v].weight;
        if (!alias_build(t->cells + (size_t)c * n->count, weights, n->count, scratch))
            return error_set(error, KITH_BUG, "profile %s: weights of %s", p->name, n->name);
    }
    return KITH_OK;
}

/* The texts are formatted once for each value instead of once for each row. */
static kith_status fill_slots(table *t, arena *memory, kith_error *error)
{
    const node *n = t->node;
    t->slots = TRY_ALLOC(arena_zalloc(memory, n->count, sizeof *t->slots), error);
    for (uint32_t v = 0; v < n->count; v++) {
        char text[NETWORK_TEXT + 1] = "";
        if (n->format != NULL)
            n->format(v, text);
        else
            snprintf(text, sizeof text, "%s", n->values[v].text);
        ASSERT(n->format != NULL || strlen(n->values[v].text) <= NETWORK_TEXT);
        t->slots[v].length = (uint8_t)strlen(text);
        memcpy(t->slots[v].bytes, text, t->slots[v].length);
    }
    return KITH_OK;
}

/* A serial number is not drawn and has no tables; a spread has weights, but its texts are numbers
 * that are made when they are needed. */
static kith_status table_init(table *t, arena *memory, const profile *p, const node *n,
                              kith_error *error)
{
    t->node = n;
    t->count = n->count;
    t->missing_below = n->missing * (UINT64_MAX / 10000);
    uint32_t stride = 1;
    for (uint32_t i = 0; i < n->n_parents; i++) {
        t->stride[i] = stride;
        stride *= p->nodes[n->parents[i]].count;
    }
    if (n->kind == NODE_SERIAL)
        return KITH_OK;
    TRY(fill_cells(t, memory, p, error));
    return n->kind == NODE_VALUES ? fill_slots(t, memory, error) : KITH_OK;
}

kith_status network_new(network **result, arena *memory, const profile *p, kith_error *error)
{
    network *net = TRY_ALLOC(arena_zalloc(memory, 1, sizeof *net), error);
    net->profile = p;
    ASSERT(p->n_nodes <= NETWORK_NODES);
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        for (uint32_t k = 0; k < p->nodes[i].n_parents; k++)
            ASSERT(p->nodes[i].parents[k] < i); /* parents before children */
        TRY(table_init(&net->tables[i], memory, p, &p->nodes[i], error));
    }
    *result = net;
    return KITH_OK;
}

/* One cell more than there are columns: write_cell copies a whole slot, which may reach behind the
 * last cell. */
size_t network_row_bytes(const profile *p)
{
    return (size_t)(p->n_columns + 1) * NETWORK_CELL_MAX;
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
    const node *n = t->node;
    switch (n->kind) {
    case NODE_SERIAL: return write_number(out, 10000001 + row);
    case NODE_SPREAD:
        return write_number(out,
                            n->bounds[code] + rng_below(r, n->bounds[code + 1] - n->bounds[code]));
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
    const profile *p = net->profile;
    uint32_t code[NETWORK_NODES];
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        const table *t = &net->tables[i];
        code[i] = 0;
        if (t->cells == NULL)
            continue;
        size_t which = 0;
        for (uint32_t j = 0; j < t->node->n_parents; j++)
            which += (size_t)t->stride[j] * code[t->node->parents[j]];
        code[i] = alias_draw(t->cells + which * t->count, t->count, r);
    }
    for (uint32_t i = 0; i < p->n_columns; i++) {
        uint8_t n = p->columns[i];
        out = write_cell(&net->tables[n], code[n], r, row, out);
        *out++ = ',';
    }
    out[-1] = '\n';
    return out;
}
