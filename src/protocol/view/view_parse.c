#include "protocol/view/view_parse.h"

#include <string.h>

enum { SHAPE_HEAD = 2, SHAPE_COLUMN = 1 + VIEW_LEVELS };

/* --- shapes --- */

size_t view_parse_shape_words(uint32_t n_columns)
{
    return SHAPE_HEAD + (size_t)n_columns * SHAPE_COLUMN;
}

static const uint32_t *column_words(const uint32_t *shape, uint32_t column)
{
    return shape + SHAPE_HEAD + (size_t)column * SHAPE_COLUMN;
}

static bool sizes_ascend(const uint32_t *at)
{
    uint32_t before = 0;
    for (uint32_t level = 0; level < at[0]; before = at[1 + level], level++)
        if (at[1 + level] < before || at[1 + level] > VIEW_MAX_ENTRIES)
            return false;
    return true;
}

const char *view_parse_shape(const uint32_t *shape, const view_terms *terms)
{
    if (shape[0] > terms->max_rows || shape[0] > VIEW_MAX_ROWS)
        return "too many rows";
    if (shape[0] < terms->min_rows)
        return "too few rows";
    if (shape[1] > 1 || (shape[1] == 1) != terms->has_ids)
        return terms->has_ids ? "no row ids" : "row ids that are not due";
    for (uint32_t j = 0; j < terms->n_columns; j++) {
        const uint32_t *at = column_words(shape, j);
        if (at[0] > terms->max_levels || at[0] > VIEW_LEVELS)
            return "a hierarchy of too many levels";
        if (at[0] == 0 && shape[0] > 0 && terms->has_columns)
            return "a column left out";
        if (!sizes_ascend(at))
            return "a dictionary of inconsistent size";
        if (terms->has_persons && j + 1 == terms->n_columns &&
            (at[0] > 1 || (at[0] == 1 && at[1] > shape[0])))
            return "more persons than rows";
    }
    return NULL;
}

uint32_t view_parse_levels(uint32_t start[VIEW_LEVELS + 1], const uint32_t *shape, uint32_t column)
{
    const uint32_t *at = column_words(shape, column);
    ASSERT(at[0] <= VIEW_LEVELS);
    start[0] = 0;
    memcpy(start + 1, at + 1, at[0] * sizeof *at);
    return at[0];
}

void view_parse_write_shape(uint32_t *shape, const view_packet *packet)
{
    memset(shape, 0, view_parse_shape_words(packet->n_columns) * sizeof *shape);
    shape[0] = packet->n_rows;
    shape[1] = packet->tid != NULL;
    for (uint32_t j = 0; j < packet->n_columns; j++) {
        const view_column *c = &packet->columns[j];
        uint32_t *at = shape + SHAPE_HEAD + (size_t)j * SHAPE_COLUMN;
        at[0] = c->n_levels;
        memcpy(at + 1, c->start + 1, c->n_levels * sizeof *at);
    }
}

/* --- ids and entries --- */

const char *view_parse_ids(const point *ids, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (memcmp(&ids[i - 1], &ids[i], sizeof *ids) >= 0)
            return "row ids out of order";
    return NULL;
}

static bool entries_ascend(const view_column *c)
{
    for (uint32_t level = 0; level < c->n_levels; level++)
        for (uint32_t e = c->start[level] + 1; e < c->start[level + 1]; e++)
            if (memcmp(&c->entries[e - 1], &c->entries[e], sizeof *c->entries) >= 0)
                return false;
    return true;
}

/* Is every parent in the next level? */
static bool parents_fit(const view_column *c)
{
    for (uint32_t level = 0; level < c->n_levels; level++)
        for (uint32_t e = c->start[level]; e < c->start[level + 1]; e++) {
            uint32_t parent = c->parent[e];
            if (parent != VIEW_NONE && (level + 1 == c->n_levels || parent < c->start[level + 1] ||
                                        parent >= c->start[level + 2]))
                return false;
        }
    return true;
}

/* --- codes --- */

/* Bytes of a code below n_entries, or of n_entries itself, which stands for VIEW_NONE. */
static size_t width_of(uint32_t n_entries)
{
    return n_entries < UINT8_MAX ? 1 : n_entries < UINT16_MAX ? 2 : 4;
}

size_t view_parse_codes_bytes(size_t count, uint32_t n_entries)
{
    return count * width_of(n_entries);
}

void view_parse_write_codes(unsigned char *out, const uint32_t *codes, size_t count,
                            uint32_t n_entries)
{
    const size_t width = width_of(n_entries);
    for (size_t i = 0; i < count; i++, out += width) {
        uint32_t code = codes[i] == VIEW_NONE ? n_entries : codes[i];
        memcpy(out, &code, width);
    }
}

bool view_parse_codes(uint32_t *codes, const unsigned char *in, size_t count, uint32_t n_entries)
{
    const size_t width = width_of(n_entries);
    bool good = true;
    for (size_t i = 0; i < count; i++, in += width) {
        uint32_t code = 0;
        memcpy(&code, in, width);
        good &= code <= n_entries;
        codes[i] = code >= n_entries ? VIEW_NONE : code;
    }
    return good;
}

/* Where the parts of a column begin, behind its codes, and its length. */
typedef struct layout {
    size_t parents, marks, bytes;
} layout;

static layout layout_of(const view_column *c, uint32_t n_rows)
{
    layout l = {.parents = view_parse_codes_bytes(n_rows, c->n_entries)};
    l.marks = l.parents + view_parse_codes_bytes(c->n_levels > 1 ? c->n_entries : 0, c->n_entries);
    l.bytes = l.marks + c->n_entries;
    return l;
}

size_t view_parse_column_bytes(const view_column *c, uint32_t n_rows)
{
    return layout_of(c, n_rows).bytes;
}

void view_parse_write_column(unsigned char *bytes, const view_column *c, uint32_t n_rows)
{
    const layout l = layout_of(c, n_rows);
    view_parse_write_codes(bytes, c->codes, n_rows, c->n_entries);
    if (c->n_levels > 1)
        view_parse_write_codes(bytes + l.parents, c->parent, c->n_entries, c->n_entries);
    memcpy(bytes + l.marks, c->mark, c->n_entries);
}

const char *view_parse_column(view_column *c, uint32_t n_rows, const unsigned char *bytes,
                              const view_terms *terms)
{
    const layout l = layout_of(c, n_rows);
    bool good = view_parse_codes(c->codes, bytes, n_rows, c->n_entries);
    if (c->n_levels > 1)
        good &= view_parse_codes(c->parent, bytes + l.parents, c->n_entries, c->n_entries);
    memcpy(c->mark, bytes + l.marks, c->n_entries);
    if (!entries_ascend(c))
        return "a dictionary out of order";
    if (!good || !parents_fit(c))
        return "codes out of range";
    for (uint32_t i = 0; i < n_rows && !terms->has_gaps; i++)
        if (c->codes[i] == VIEW_NONE)
            return "cells left out";
    return NULL;
}

const char *view_parse_persons(view_column *c, uint32_t n_rows)
{
    bool all = true;
    memset(c->mark, 0, c->n_entries);
    for (uint32_t i = 0; i < n_rows; i++)
        c->mark[c->codes[i]] = 1;
    for (uint32_t e = 0; e < c->n_entries; e++)
        all &= c->mark[e];
    memset(c->mark, 0, c->n_entries);
    return all ? NULL : "a person without rows";
}
