/* Peers that send anything in the ID-based protocol. */
#include "support/fuzz_peer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_peer(data, size, "id-based");
}
