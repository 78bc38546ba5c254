/* The final barrier of a protocol that ends in an error which all parties know. */
#ifndef PROTOCOL_LEAVE_TOGETHER_H
#define PROTOCOL_LEAVE_TOGETHER_H

#include "wire/party.h"

/* The message type of protocols that do not have one of their own for this purpose. */
extern const message_type leave_together_word;

/* All parties call it when they are about to return the same error. It returns when every other
 * party has come to this point: a party that left earlier would look like a lost connection to
 * those that still compute the reason. Errors are ignored, since the run fails anyway.
 * Cost: one message of the given type (control), one byte, exchanged. */
void leave_together(party *p, const message_type *type);

#endif
