/* Lists of cells for the wire, in which a text that occurs again costs a byte or two.
 *
 *     4  how many different texts, n
 *     n times: 2 its length, then the text, in UTF-8 without NUL
 *     for every cell 1 byte (n < 2^8), 2 (n < 2^16) or 4: 0 if the cell is missing, else the number
 *     of its text, from 1
 *
 * Numbers are in the order of first cells, so that a list says nothing but its cells. */
#ifndef TABLE_ROWS_PACKED_TEXTS_H
#define TABLE_ROWS_PACKED_TEXTS_H

#include "core/arena.h"
#include "table/intern.h"

typedef struct packed_texts {
    arena *memory;
    intern texts;
    uint32_t *codes;
    size_t count, room;
} packed_texts;

/* A cell that was read; NULL is missing. */
typedef struct packed_texts_cell {
    const char *text;
    uint16_t length;
} packed_texts_cell;

kith_status packed_texts_begin(packed_texts *l, arena *memory, kith_error *error) KITH_MUST_USE;
/* Appends a text; NULL is missing. */
kith_status packed_texts_put(packed_texts *l, const char *text, size_t length,
                             kith_error *error) KITH_MUST_USE;
/* The list as it is sent. */
kith_status packed_texts_pack(const packed_texts *l, unsigned char **bytes, size_t *length,
                              kith_error *error) KITH_MUST_USE;
/* Reads exactly `count` cells from a list, which may come from a peer. *well: the list is
 * well-formed and has neither more nor fewer; texts then lie in `bytes`. */
kith_status packed_texts_take(packed_texts_cell *cells, size_t count, const unsigned char *bytes,
                              size_t length, bool *well, arena *memory,
                              kith_error *error) KITH_MUST_USE;

#endif
