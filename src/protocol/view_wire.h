/* Packets on the wire: dictionaries as group elements, everything else as narrow codes.
 *
 * A packet is a "view.shape" (choice): numbers of rows and of entries by column and level; then
 * "view.tids" (blinded), if it has row ids; then for each column "view.points" (blinded): 32 bytes
 * per entry, and "view.codes" (choice): 1, 2 or 4 bytes per row, per entry with a hierarchy its
 * parent likewise, and a byte of marks per entry. Codes show which cells are equal, never what they
 * are; channels that compress do so with them. */
#ifndef PROTOCOL_VIEW_WIRE_H
#define PROTOCOL_VIEW_WIRE_H

#include "protocol/view_packet.h"
#include "wire/party.h"

kith_status view_send(party *p, uint32_t to, const view_packet *k, kith_error *error) KITH_MUST_USE;
/* Everything but whether points are group elements is checked; PEER names who sent it. The packet
 * lives in `memory` and must have `columns` columns (some may be absent). */
kith_status view_recv(party *p, uint32_t from, view_packet *k, arena *memory, uint32_t columns,
                      kith_error *error) KITH_MUST_USE;

#endif
