/* The scan kernel for AVX2; compiled with its own flags, chosen at run time (search/slots/cpu.h).
 */
#define SCAN_BYTES 32
#define SCAN_KERNEL scan_block_avx2
#include "search/cluster/scan_block.h"
