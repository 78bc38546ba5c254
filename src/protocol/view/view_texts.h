/* Lists of labels on the wire, some of which may be unknown. */
#ifndef PROTOCOL_VIEW_VIEW_TEXTS_H
#define PROTOCOL_VIEW_VIEW_TEXTS_H

#include "protocol/view/view_crypt.h"
#include "wire/party.h"

/* Lengths + 1 (0: unknown, its bytes are NULL), then all bytes one behind the other. */
typedef struct view_letters {
    uint32_t *length; /* [count] */
    char *bytes;
    uint64_t total;
} view_letters;

kith_status view_letters_write(view_letters *w, const view_label *label, uint32_t count,
                               arena *memory, kith_error *error) KITH_MUST_USE;
kith_status view_letters_send(party *p, uint32_t to, const message_type *type,
                              const view_letters *w, uint32_t count,
                              kith_error *error) KITH_MUST_USE;
/* Fills label[]; what they point to stays in `memory`. */
kith_status view_letters_recv(party *p, uint32_t from, const message_type *type, view_label *label,
                              uint32_t count, arena *memory, kith_error *error) KITH_MUST_USE;

#endif
