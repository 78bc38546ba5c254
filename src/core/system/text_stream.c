#include "core/system/text_stream.h"

#include <stdbool.h>
#include <stdlib.h>

#include "core/error.h"

kith_status text_stream_close(FILE *stream, char **text, kith_error *error)
{
    const bool written = ferror(stream) == 0; /* memory is all that can run out */
    /* The text is cut to its length when the stream is closed; glibc says nothing if that fails. */
    if (fclose(stream) == 0 && written && *text != NULL)
        return KITH_OK;
    free(*text);
    *text = NULL;
    return error_nomem(error);
}
