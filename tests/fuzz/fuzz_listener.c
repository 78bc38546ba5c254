/* Any bytes as what comes first on a connection to a site that serves: a preamble, and the messages
 * by which clients get the lock. Each is refused, or is the one way to write what it says. */
#include "support/fuzz_input.h"

#include "wire/tls/tls_listener.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char again[LISTENER_MESSAGE_BYTES];
    tls_preamble preamble;
    listener_message message;
    if (size >= PREAMBLE_BYTES && tls_preamble_read(&preamble, data)) {
        tls_preamble_write(again, &preamble);
        require(memcmp(again, data, PREAMBLE_BYTES) == 0);
    }
    if (size >= LISTENER_MESSAGE_BYTES && listener_message_read(&message, data)) {
        listener_message_write(again, &message);
        require(memcmp(again, data, LISTENER_MESSAGE_BYTES) == 0);
    }
    return 0;
}
