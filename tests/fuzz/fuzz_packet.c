/* Any bytes as a part of the encrypted view: refused, or a packet that keeps its invariants through
 * what a party does with it: sorting, merging with another one, dropping rows, making trees.
 *
 * The first byte chooses the terms of the receiver, then come the messages of a packet as they are
 * on the wire: shape, row ids, and per column entries and codes. */
/* needs: encrypted-view */
#include <stdlib.h>
#include <string.h>

#include "protocol/options.h"
#include "protocol/view/view_merge.h"
#include "protocol/view/view_parse.h"
#include "protocol/view/view_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { COLUMNS = 2, MAX_LENGTH = 1 << 16 };

typedef struct input {
    const uint8_t *at;
    size_t left;
} input;

/* A copy of its own, so that reading past the end is found; NULL if there is not as much. */
static void *take(input *in, size_t length, arena *memory)
{
    if (length > in->left)
        return NULL;
    void *copy = arena_alloc(memory, length);
    if (copy != NULL && length > 0)
        memcpy(copy, in->at, length);
    in->at += length;
    in->left -= length;
    return copy;
}

static partition_kind kind_of(uint8_t choice)
{
    static const partition_kind kinds[] = {PARTITION_HORIZONTAL, PARTITION_VERTICAL,
                                           PARTITION_HYBRID};
    return kinds[choice % 3];
}

static view_terms terms_of(uint8_t choice)
{
    const partition_kind kind = kind_of(choice);
    const bool encrypting = (choice & 0x40) != 0, result = (choice & 0x80) != 0;
    return (view_terms){
        .n_columns = COLUMNS,
        .max_levels = result ? 1 : VIEW_LEVELS,
        .max_rows = MAX_LENGTH, /* a receiver knows how many rows there can be */
        .has_ids =
            !result && (encrypting ? kind != PARTITION_HORIZONTAL : kind == PARTITION_HYBRID),
        .has_columns = result || kind == PARTITION_HORIZONTAL,
        .has_gaps = !result && !encrypting && kind == PARTITION_HYBRID,
        .has_persons = !result && kind == PARTITION_HORIZONTAL && (choice & 0x20) != 0};
}

static bool read_column(view_packet *k, uint32_t j, const uint32_t *shape, const view_terms *terms,
                        input *in)
{
    view_column c = {.n_levels = view_parse_levels(c.start, shape, j)};
    if (c.n_levels == 0)
        return true;
    c.n_entries = c.start[c.n_levels];
    const size_t bytes = view_parse_column_bytes(&c, k->n_rows);
    c.entries = take(in, c.n_entries * sizeof *c.entries, k->memory);
    const unsigned char *packed = take(in, bytes, k->memory);
    if (c.entries == NULL || packed == NULL || view_packet_adopt(k, j, &c, NULL) != KITH_OK)
        return false;
    if (view_parse_column(&k->columns[j], k->n_rows, packed, terms) != NULL)
        return false;
    return !terms->has_persons || j + 1 < COLUMNS ||
           view_parse_persons(&k->columns[j], k->n_rows) == NULL;
}

static bool read_packet(view_packet *k, const view_terms *terms, input *in, arena *memory)
{
    const uint32_t *shape = take(in, view_parse_shape_words(COLUMNS) * sizeof *shape, memory);
    if (shape == NULL || view_parse_shape(shape, terms) != NULL ||
        view_packet_init(k, memory, COLUMNS, shape[0], false, NULL) != KITH_OK)
        return false;
    if (terms->has_ids) {
        k->tid = take(in, k->n_rows * sizeof *k->tid, memory);
        if (k->tid == NULL || view_parse_ids(k->tid, k->n_rows) != NULL)
            return false;
    }
    for (uint32_t j = 0; j < COLUMNS; j++)
        if (!read_column(k, j, shape, terms, in))
            return false;
    return true;
}

static void require(bool condition)
{
    if (!condition)
        abort();
}

/* The invariants of view_packet.h, and the terms. */
static void check(const view_packet *k, const view_terms *terms)
{
    require((k->tid != NULL) == terms->has_ids);
    for (uint32_t j = 0; j < COLUMNS; j++) {
        const view_column *c = &k->columns[j];
        require(c->n_levels <= terms->max_levels);
        require(c->n_levels > 0 || k->n_rows == 0 || !terms->has_columns);
        for (uint32_t i = 0; i < k->n_rows && c->n_levels > 0; i++)
            require(c->codes[i] < c->n_entries || (terms->has_gaps && c->codes[i] == VIEW_NONE));
        if (terms->has_persons && j + 1 == COLUMNS)
            require(c->n_levels <= 1 && c->n_entries <= k->n_rows);
        for (uint32_t level = 0; level < c->n_levels; level++)
            for (uint32_t e = c->start[level]; e < c->start[level + 1]; e++)
                require(c->parent[e] == VIEW_NONE ||
                        (level + 1 < c->n_levels && c->parent[e] >= c->start[level + 1] &&
                         c->parent[e] < c->start[level + 2]));
    }
}

/* May this column become a tree, as at a master? */
static bool is_whole(const view_column *c)
{
    if (c->n_levels < 2 || c->start[c->n_levels] - c->start[c->n_levels - 1] != 1)
        return false;
    for (uint32_t e = 0; e < c->start[c->n_levels - 1]; e++)
        if (c->parent[e] == VIEW_NONE)
            return false;
    return true;
}

/* What follows at an honest party. */
static void use(view_packet *k, const view_terms *terms)
{
    check(k, terms);
    require(view_packet_sort(k, NULL) == KITH_OK);
    check(k, terms);
    uint32_t *order = arena_array(k->memory, k->n_rows, sizeof *order);
    for (uint32_t i = 0; i < k->n_rows; i++)
        order[i] = k->n_rows - 1 - i;
    require(view_packet_rows(k, order, k->n_rows, NULL) == KITH_OK);
    for (uint32_t j = 0; j < COLUMNS; j++) {
        view_tree t;
        if (is_whole(&k->columns[j]))
            require(view_tree_make(&t, &k->columns[j], k->memory, NULL) == KITH_OK);
    }
    check(k, terms);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > MAX_LENGTH)
        return 0;
    arena *memory = arena_new();
    const view_terms terms = terms_of(data[0]);
    const partition_kind kind = kind_of(data[0]);
    input in = {data + 1, size - 1}, again = in;
    view_packet one, two;
    if (read_packet(&one, &terms, &in, memory) && read_packet(&two, &terms, &again, memory)) {
        /* Twice the same dictionaries fit, so that there is no party to blame. Ids are dropped
         * before vertical parts are merged. */
        uint64_t clashes;
        if (terms.has_ids == (kind == PARTITION_HYBRID))
            require(view_merge(&one, &two, kind, &clashes, NULL, 0, NULL) == KITH_OK);
        use(&one, &terms);
    }
    arena_free(memory);
    return 0;
}
