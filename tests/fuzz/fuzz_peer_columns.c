/* Peers that send anything in clustering over columns, and the alignment of identifiers before it.
 */
/* wrap: party_arrived malloc calloc realloc */
#include "support/fuzz_peer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_peer(data, size, "columns");
}
