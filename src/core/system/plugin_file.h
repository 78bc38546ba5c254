/* Libraries that Kith loads at run time and works without. */
#ifndef CORE_SYSTEM_PLUGIN_FILE_H
#define CORE_SYSTEM_PLUGIN_FILE_H

#include <stdbool.h>

/* Where a library is looked for: if the environment variable is set, at the file or directory that
 * it names and nowhere else; beside the program or library that contains this code; in the
 * directories that `below` lists, from there; where the system finds libraries. */
typedef struct plugin_file {
    const char *name;
    const char *variable;
    const char *const *below; /* each ends with a slash; the list ends with NULL */
    int flags;                /* of dlopen, beside RTLD_NOW */
} plugin_file;

/* NULL if it is not there or cannot be loaded; dlerror says why. */
void *plugin_file_open(const plugin_file *file);

/* Fills the pointer to a function at which `function` points; false: the library has none such. */
bool plugin_file_function(void *handle, const char *name, void *function);

#endif
