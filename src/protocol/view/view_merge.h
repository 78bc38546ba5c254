/* Putting two parts of the encrypted view together (EGV 4.2, integration). */
#ifndef PROTOCOL_VIEW_VIEW_MERGE_H
#define PROTOCOL_VIEW_VIEW_MERGE_H

#include "protocol/options.h"
#include "protocol/view/view_packet.h"
#include "wire/party.h"

/* `into` becomes the union of both; `other` is released. Horizontal: the rows of `other` follow
 * those of `into` (shuffle them afterwards); vertical: the same rows with more columns; hybrid:
 * rows with the same id become one, and *clashes counts ids that have a cell in the same column in
 * both. Dictionaries are united level by level. Blames `from`, which sent one of the packets, if
 * they do not fit: different numbers of levels, of rows (vertical), or different parents of one
 * value. Works column by column, so that at most one column is in memory twice. */
kith_status view_merge(view_packet *into, view_packet *other, partition_kind kind,
                       uint64_t *clashes, party *p, uint32_t from, kith_error *error) KITH_MUST_USE;

#endif
