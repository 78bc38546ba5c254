/* From the bytes of a peer to a part of the encrypted view.
 *
 * The receiver of a packet knows some of it beforehand: its *terms*. A peer that keeps to the
 * protocol cannot break them, so whatever does is refused before anything of it is used. All
 * functions return NULL, or what is wrong with the bytes; they allocate nothing. */
#ifndef PROTOCOL_VIEW_VIEW_PARSE_H
#define PROTOCOL_VIEW_VIEW_PARSE_H

#include "protocol/view/view_packet.h"

typedef struct view_terms {
    uint32_t n_columns;
    uint32_t max_levels; /* 1: a result, which has no hierarchies */
    uint32_t min_rows, max_rows;
    uint64_t allowed_rows; /* by the study; 0: any number */
    bool has_ids;          /* row ids are due; otherwise there must be none */
    bool has_columns;      /* every column must be there, if there are rows */
    bool has_gaps;         /* rows may lack cells */
    bool has_persons;      /* the last column says whose each row is */
} view_terms;

enum { VIEW_MAX_ROWS = 1 << 28, VIEW_MAX_ENTRIES = 1 << 28 };

/* A shape: words on the wire. Rows, whether there are ids; then per column its levels and the ends
 * of all levels. */
size_t view_parse_shape_words(uint32_t n_columns);
const char *view_parse_shape(const uint32_t *shape, const view_terms *terms);
/* Of a shape that is good: the levels of a column (0: it is absent) and start[n_levels + 1]. */
uint32_t view_parse_levels(uint32_t start[VIEW_LEVELS + 1], const uint32_t *shape, uint32_t column);

/* Row ids ascend, and each occurs once. */
const char *view_parse_ids(const point *ids, size_t count);

/* The bytes of a column's codes, parents and marks on the wire. */
size_t view_parse_column_bytes(const view_column *c, uint32_t n_rows);
/* Fills codes, parents and marks of a column that has its sizes and its entries, and checks all. */
const char *view_parse_column(view_column *c, uint32_t n_rows, const unsigned char *bytes,
                              const view_terms *terms);
/* Of a good column that says whose each row is: every person has a row. Marks are cleared. */
const char *view_parse_persons(view_column *c, uint32_t n_rows);

/* What a party with data sends; the inverse of the above. */
void view_parse_write_shape(uint32_t *shape, const view_packet *packet);
void view_parse_write_column(unsigned char *bytes, const view_column *c, uint32_t n_rows);

/* Codes below `n_entries`, or VIEW_NONE, in messages. */
size_t view_parse_codes_bytes(size_t count, uint32_t n_entries);
void view_parse_write_codes(unsigned char *out, const uint32_t *codes, size_t count,
                            uint32_t n_entries);
/* False if one is too large. */
bool view_parse_codes(uint32_t *codes, const unsigned char *in, size_t count, uint32_t n_entries);

#endif
