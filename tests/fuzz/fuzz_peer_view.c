/* Peers that send anything in the encrypted view. */
/* wrap: party_arrived malloc calloc realloc */
#include "support/fuzz_peer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_peer(data, size, "view");
}
