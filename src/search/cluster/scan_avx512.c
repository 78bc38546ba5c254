/* The scan kernel for AVX-512; compiled with its own flags, chosen at run time
 * (search/slots/cpu.h). */
#define SCAN_BYTES 64
#define SCAN_KERNEL scan_block_avx512
#include "search/cluster/scan_block.h"
