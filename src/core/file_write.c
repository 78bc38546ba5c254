/* Files of callers, written as Kith writes its own. */
#include <kith/document.h>

#include <string.h>

#include "core/error.h"
#include "core/output.h"

static kith_status write_text(arena *memory, const char *path, const char *text, bool private,
                              kith_error *error)
{
    output *out;
    TRY(output_open(&out, memory, path, true, error));
    if (private)
        output_keep_private(out);
    output_text(out, text);
    if (text[0] != '\0' && text[strlen(text) - 1] != '\n')
        output_text(out, "\n");
    return output_commit(out, error);
}

static kith_status write_file(const char *path, const char *text, bool private, kith_error *error)
{
    arena *memory = TRY_ALLOC(arena_new(), error);
    kith_status status = write_text(memory, path, text, private, error);
    arena_free(memory);
    return status;
}

kith_status kith_file_write(const char *path, const char *text, kith_error *error)
{
    return write_file(path, text, false, error);
}

kith_status kith_file_write_private(const char *path, const char *text, kith_error *error)
{
    return write_file(path, text, true, error);
}
