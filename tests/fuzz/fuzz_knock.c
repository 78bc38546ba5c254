/* Any bytes as what comes first on a connection to a site that serves: a ticket, and the messages
 * by which askers get their turn. Each is refused, or is the one way to write what it says. */
#include "support/fuzz_input.h"

#include "wire/tls/tls_front.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char again[KNOCK_BYTES];
    tls_ticket ticket;
    knock_message message;
    if (size >= TICKET_BYTES && tls_ticket_read(&ticket, data)) {
        tls_ticket_write(again, &ticket);
        require(memcmp(again, data, TICKET_BYTES) == 0);
    }
    if (size >= KNOCK_BYTES && knock_message_read(&message, data)) {
        knock_message_write(again, &message);
        require(memcmp(again, data, KNOCK_BYTES) == 0);
    }
    return 0;
}
