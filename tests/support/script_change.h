/* Mutations of what peers send (script.h). */
#ifndef SUPPORT_SCRIPT_CHANGE_H
#define SUPPORT_SCRIPT_CHANGE_H

#include "support/script.h"

typedef enum script_mutation {
    SCRIPT_FLIP,      /* bits of `value` at a place */
    SCRIPT_SET,       /* a byte becomes `value` */
    SCRIPT_WRITE,     /* `value` bytes that follow, at a place */
    SCRIPT_TRUNCATE,  /* by `place` bytes; the message gets shorter, too, unless `value` is odd */
    SCRIPT_EXTEND,    /* by `place` bytes of `value`; the message gets longer, too */
    SCRIPT_DROP,      /* the frame is not sent */
    SCRIPT_DUPLICATE, /* it is sent twice */
    SCRIPT_SWAP,      /* it comes after the next one */
    SCRIPT_FILL,      /* all bytes become `value` */
    SCRIPT_ZERO,
    SCRIPT_INTEGER32, /* the aligned number at a place becomes an extreme one */
    SCRIPT_INTEGER64,
    SCRIPT_ADD,     /* `value`, signed, to an aligned number of 32 bits */
    SCRIPT_PAYLOAD, /* that of another frame, number `place` */
    SCRIPT_CLAIM,   /* another length of the whole message */
    SCRIPT_INSERT,  /* one more frame of this type, with `value` bytes that follow */
    SCRIPT_RENAME,  /* the type of frame `place` */
    SCRIPT_CONTROL, /* a frame of the session before it: the kind is `place`, `value` bytes follow
                     */
    SCRIPT_CUT,     /* neither this nor any later frame of the sender */
    SCRIPT_MUTATIONS
} script_mutation;

/* The frames that are sent, the end of each peer included. */
typedef struct script_change {
    script_frame *frames;
    size_t n_frames, room;
} script_change;

void script_change_make(script_change *c, const script *s, uint32_t self, const uint8_t *bytes,
                        size_t size);
void script_change_free(script_change *c);

#endif
