/* The scan kernel in vectors that every machine of the architecture has. */
#define SCAN_BYTES 16
#define SCAN_KERNEL scan_block_portable
#include "search/cluster/scan_block.h"
