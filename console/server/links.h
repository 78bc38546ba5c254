/* Links: addresses that show one file once. A frame or a download cannot send the token in a
 * header, so the page asks for a link and puts it into the address. */
#ifndef CONSOLE_SERVER_LINKS_H
#define CONSOLE_SERVER_LINKS_H

#include <cjson/cJSON.h>

#include <kith/status.h>

typedef struct links links;

links *links_new(void); /* NULL if out of memory */
void links_free(links *all);

/* Adds the address for the file to `out` as "address", after files_check_readable. A file whose
 * name ends with .html is shown, alone in its sandbox; any other is downloaded. Of links that
 * nobody used the last 64 are kept. */
kith_status links_add(links *all, const char *path, cJSON *out, kith_error *error);

/* The path behind a link, which is void from then on; NULL if there is none. Free it. */
char *links_take(links *all, const char *link);

#endif
