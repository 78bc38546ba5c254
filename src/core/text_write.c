#include <kith/document.h>

#include "core/error.h"
#include "core/output.h"

kith_status kith_text_write(const char *path, const char *text, bool overwrite, kith_error *error)
{
    arena *memory = TRY_ALLOC(arena_new(), error);
    output *out;
    kith_status status = output_open(&out, memory, path, overwrite, error);
    if (status == KITH_OK) {
        output_text(out, text);
        status = output_commit(out, error);
    }
    arena_free(memory);
    return status;
}
