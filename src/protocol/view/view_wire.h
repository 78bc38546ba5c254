/* Packets on the wire: dictionaries as group elements, everything else as narrow codes.
 *
 * A packet is a "view.shape" (choice): numbers of rows and of entries by column and level; then
 * "view.tids" (blinded), if it has row ids; then for each column "view.points" (blinded): 32 bytes
 * per entry, and "view.codes" (choice): 1, 2 or 4 bytes per row, per entry with a hierarchy its
 * parent likewise, and a byte of marks per entry. Codes show which cells are equal, never what they
 * are; channels that compress do so with them.
 *
 * All messages of the view between two parties go through smc_send and smc_recv, which cut long
 * ones into pieces of SMC_PIECE bytes. */
#ifndef PROTOCOL_VIEW_VIEW_WIRE_H
#define PROTOCOL_VIEW_VIEW_WIRE_H

#include "protocol/view/view_packet.h"
#include "protocol/view/view_parse.h"
#include "wire/party.h"

kith_status view_wire_send(party *p, uint32_t to, const view_packet *packet,
                           kith_error *error) KITH_MUST_USE;
/* Checks the terms and the invariants of view_packet.h, and blames `from` if one does not hold. It
 * does not check that points are group elements: view_crypt_multiply does, together with its work.
 * The packet lives in `memory`, which grows with what has arrived, not with what is announced. */
kith_status view_wire_recv(party *p, uint32_t from, view_packet *packet, arena *memory,
                           const view_terms *terms, kith_error *error) KITH_MUST_USE;

#endif
