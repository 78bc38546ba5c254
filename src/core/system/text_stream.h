/* Texts that are written piece by piece, by the functions for files: streams of open_memstream. */
#ifndef CORE_SYSTEM_TEXT_STREAM_H
#define CORE_SYSTEM_TEXT_STREAM_H

#include <stdio.h>

#include <kith/status.h>

/* Closes the stream. If memory ran out while it was written or is closed, which the calls that
 * write need not look at, the text is freed and NULL: KITH_NOMEM. */
kith_status text_stream_close(FILE *stream, char **text, kith_error *error) KITH_MUST_USE;

#endif
