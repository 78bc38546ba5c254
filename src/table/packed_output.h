/* Bytes on their way into an output file, compressed as its name says. */
#ifndef TABLE_PACKED_OUTPUT_H
#define TABLE_PACKED_OUTPUT_H

#include "core/output.h"

typedef struct packed_output packed_output;

/* By gzip if `name` ends in .gz, by zstd if it ends in .zst, else not at all. */
kith_status packed_output_open(packed_output **packed, arena *memory, output *out, const char *name,
                               kith_error *error) KITH_MUST_USE;

/* Fewer than 4 GB at once. Errors are remembered, so that callers need not check each call. */
void packed_output_write(packed_output *packed, const char *bytes, size_t length);

/* Writes what is left; the output itself is to be finished afterwards. */
kith_status packed_output_finish(packed_output *packed, kith_error *error) KITH_MUST_USE;

#endif
