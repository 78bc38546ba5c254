/* A part of the encrypted view: rows of codes into dictionaries of group elements.
 *
 * Invariants: the entries of a column are in the order of levels (level 0: values; the topmost
 * level: the root alone, if there is a hierarchy). Within a level they ascend by their bytes, and
 * each occurs once; so the order says nothing about the values. A parent is an entry of the next
 * level, or VIEW_NONE where this part does not know it. A code is an entry, or VIEW_NONE where the
 * row has no cell in this column (hybrid only). If present, row ids are in row order.
 *
 * Entries are out of order only between view_packet_column and view_packet_sort, while a party
 * hashes or encrypts them. */
#ifndef PROTOCOL_VIEW_VIEW_PACKET_H
#define PROTOCOL_VIEW_VIEW_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include <kith/status.h>

#include "core/arena.h"
#include "core/check.h"
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
    uint8_t *mark;                   /* [n_entries] bits of view_source.mark */
    uint32_t *codes;                 /* [n_rows] */
} view_column;

typedef struct view_packet {
    arena *memory;
    uint32_t n_rows;
    uint32_t n_columns;
    view_column *columns; /* [n_columns] */
    point *tid;           /* [n_rows] encrypted row ids, or NULL */
} view_packet;

#if KITH_DEBUG
/* Checks what holds also while entries are not sorted: sizes, codes and parents. */
void view_packet_check(const view_packet *packet);
/* Checks the order of entries as well. */
void view_packet_check_sorted(const view_packet *packet);
#endif

/* Allocates rows and columns; all columns are absent at first. */
kith_status view_packet_init(view_packet *packet, arena *memory, uint32_t n_columns,
                             uint32_t n_rows, bool tids, kith_error *error) KITH_MUST_USE;
/* Adds an absent column with the entries that start[] tells: all parents unknown, no marks. The
 * caller fills in entries and codes. */
kith_status view_packet_column(view_packet *packet, uint32_t column, uint32_t n_levels,
                               const uint32_t *start, kith_error *error) KITH_MUST_USE;
/* The same for a column that has its sizes and its entries, in a block of packet->memory. */
kith_status view_packet_adopt(view_packet *packet, uint32_t column, const view_column *sized,
                              kith_error *error) KITH_MUST_USE;
/* Give memory back before the arena is freed. */
void view_packet_release(view_packet *packet);
void view_packet_release_column(view_packet *packet, uint32_t column);
void view_packet_release_tids(view_packet *packet);

/* Sorts the entries of all columns, level by level; codes and parents follow. KITH_BUG if two
 * entries of a level are the same. */
kith_status view_packet_sort(view_packet *packet, kith_error *error) KITH_MUST_USE;
/* Replaces the numbers of entries in codes and parents. */
void view_packet_recode_column(view_column *c, uint32_t n_rows, const uint32_t *new_of_old);

/* Row order[i] becomes row i, for i below `n_rows`; the others are dropped. */
kith_status view_packet_rows(view_packet *packet, const uint32_t *order, uint32_t n_rows,
                             kith_error *error) KITH_MUST_USE;
/* A uniform permutation of the rows. */
kith_status view_packet_shuffle(view_packet *packet, prg *coins, kith_error *error) KITH_MUST_USE;
/* Rows in the order of their encrypted ids. KITH_DATA if some have the same one. */
kith_status view_packet_by_tid(view_packet *packet, kith_error *error) KITH_MUST_USE;
/* Hides the order of the rows: sorted by encrypted id where there are ids, because no party can
 * foresee that order, otherwise shuffled. */
kith_status view_packet_disorder(view_packet *packet, prg *coins, kith_error *error) KITH_MUST_USE;

#endif
