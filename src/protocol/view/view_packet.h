/* A part of the encrypted view: rows of codes into dictionaries of group elements.
 *
 * Invariants: the entries of a column go level by level (0: values, the topmost: the root alone, if
 * there is a hierarchy at all), and within a level ascending by their bytes, each once; so the
 * order says nothing about what they stand for. A parent is an entry of the next level, or
 * VIEW_NONE where this part does not know it. A code is an entry, or VIEW_NONE where the row has no
 * cell in this column (hybrid only). Row ids, if there are any, are in one with the rows. */
#ifndef PROTOCOL_VIEW_VIEW_PACKET_H
#define PROTOCOL_VIEW_VIEW_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "crypto/ristretto.h"
#include "crypto/prg.h"

enum { VIEW_LEVELS = 64 };
#define VIEW_NONE UINT32_MAX

typedef struct view_column {
    uint32_t n_levels;               /* 0: the part has no such column; 1: no hierarchy */
    uint32_t start[VIEW_LEVELS + 1]; /* entries of level l: start[l] … start[l + 1] - 1 */
    uint32_t n_entries;              /* start[n_levels] */
    point *entries;                  /* [n_entries] */
    uint32_t *parent;                /* [n_entries] */
    uint8_t *mark;                   /* [n_entries] bits that models ask for; see view.h */
    uint32_t *codes;                 /* [n_rows] */
} view_column;

typedef struct view_packet {
    arena *memory;
    uint32_t n_rows;
    uint32_t n_columns;
    view_column *columns; /* [n_columns] */
    point *tid;           /* [n_rows] encrypted row ids, or NULL */
} view_packet;

/* Room for rows and columns; columns are all absent at first. */
kith_status view_packet_init(view_packet *k, arena *memory, uint32_t n_columns, uint32_t n_rows,
                             bool tids, kith_error *error) KITH_MUST_USE;
/* Room for one column: start[] tells the entries. All parents unknown, no marks. */
kith_status view_packet_column(view_packet *k, uint32_t column, uint32_t n_levels,
                               const uint32_t *start, kith_error *error) KITH_MUST_USE;
/* Gives its memory back early. */
void view_packet_release(view_packet *k);
void view_packet_release_column(view_packet *k, uint32_t column);
void view_packet_release_tids(view_packet *k);

/* Sorts the entries of all columns, level by level, and recodes. BUG if two of one level are the
 * same. */
kith_status view_packet_sort(view_packet *k, kith_error *error) KITH_MUST_USE;
/* New numbers for the entries of a column: codes and parents follow. */
void view_packet_recode_column(view_column *c, uint32_t n_rows, const uint32_t *new_of_old);

/* Row order[i] becomes row i, for i below `n_rows`; the others are dropped. */
kith_status view_packet_rows(view_packet *k, const uint32_t *order, uint32_t n_rows,
                             kith_error *error) KITH_MUST_USE;
/* A uniform permutation of the rows. */
kith_status view_packet_shuffle(view_packet *k, prg *coins, kith_error *error) KITH_MUST_USE;
/* Rows in the order of their encrypted ids. KITH_DATA if some have the same one. */
kith_status view_packet_by_tid(view_packet *k, kith_error *error) KITH_MUST_USE;
/* Any order but one's own: by id where there are ids, which no one can foresee, else shuffled. */
kith_status view_packet_disorder(view_packet *k, prg *coins, kith_error *error) KITH_MUST_USE;

#endif
