/* Putting two parts of the encrypted view together (EGV 4.2, integration). */
#ifndef PROTOCOL_VIEW_VIEW_MERGE_H
#define PROTOCOL_VIEW_VIEW_MERGE_H

#include "protocol/options.h"
#include "protocol/view/view_packet.h"
#include "wire/party.h"

/* `into` becomes the union of both; `other` is used up. Horizontal: rows one behind the other
 * (shuffle them afterwards); vertical: the same rows with more columns; hybrid: rows with the same
 * id become one, and *clashes counts ids that have a cell in the same column in both. Dictionaries
 * are united level by level. PEER, naming `from`, which sent one of them, where they do not fit:
 * different numbers of levels, of rows (vertical), or different parents of one value. Column by
 * column, so that never more than one column exists twice. */
kith_status view_merge(view_packet *into, view_packet *other, partition_kind kind,
                       uint64_t *clashes, party *p, uint32_t from, kith_error *error) KITH_MUST_USE;

#endif
