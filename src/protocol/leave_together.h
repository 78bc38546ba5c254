/* Ending a protocol for a reason that all parties know. */
#ifndef PROTOCOL_LEAVE_TOGETHER_H
#define PROTOCOL_LEAVE_TOGETHER_H

#include "wire/party.h"

/* Called by all parties that are about to fail alike: nobody leaves before all have come so far,
 * or some would only see a peer go. What else happens meanwhile does not matter any more.
 * Cost: farewell.word (control), one byte, exchanged. */
void leave_together(party *p);

#endif
