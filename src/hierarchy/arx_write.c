/* Hierarchies as files in ARX's format. */
#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "core/system/output.h"
#include "hierarchy/hierarchy.h"

/* Quotes whatever a reader could take for structure: the separator, those that detection prefers to
 * it (; before tab before ,), quotes and line breaks. */
static void write_cell(output *out, const char *text, char separator)
{
    const char *structure = separator == ';'    ? "\"\r\n;"
                            : separator == '\t' ? "\"\r\n;\t"
                                                : "\"\r\n;\t,";
    if (strpbrk(text, structure) == NULL && strchr(text, separator) == NULL) {
        output_text(out, text);
        return;
    }
    output_write(out, "\"", 1);
    for (const char *s = text; *s != '\0'; s++) {
        if (*s == '"')
            output_write(out, "\"", 1);
        output_write(out, s, 1);
    }
    output_write(out, "\"", 1);
}

kith_status kith_hierarchy_write(const kith_hierarchy *hierarchy, const char *path,
                                 const kith_write_options *options, kith_error *error)
{
    kith_write_options own;
    TRY(OPTIONS_TAKE(kith_write_options, overwrite, &own, options, error));
    char separator = own.separator == 0 ? ';' : own.separator;
    if (separator == '"' || separator == '\n' || separator == '\r')
        return error_set(error, KITH_INVALID, "quotes and line breaks cannot separate cells");
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    /* One row for each leaf: the leaf and its ancestors up to the root. */
    output *out;
    TRY(output_open(&out, memory, path, own.overwrite, error));
    for (uint32_t leaf = 0; leaf < hierarchy->tree.n_leaves; leaf++) {
        for (uint32_t level = 0; level < hierarchy->tree.n_levels; level++) {
            if (level > 0)
                output_write(out, &separator, 1);
            write_cell(out, hierarchy->label[tree_up(&hierarchy->tree, leaf, level)], separator);
        }
        output_write(out, "\n", 1);
    }
    return output_commit(out, error);
}
