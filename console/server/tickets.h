/* Tickets: addresses that show one file once. A frame or a download cannot send the token in a
 * header, so the page asks for a ticket and puts it into the address. */
#ifndef CONSOLE_SERVER_TICKETS_H
#define CONSOLE_SERVER_TICKETS_H

#include <cjson/cJSON.h>

#include <kith/status.h>

typedef struct tickets tickets;

tickets *tickets_new(void); /* NULL if out of memory */
void tickets_free(tickets *all);

/* Adds the address for the file to `out` as "address", after files_check_readable. A file whose
 * name ends with .html is shown, alone in its sandbox; any other is downloaded. Of tickets that
 * nobody used the last 64 are kept. */
kith_status tickets_add(tickets *all, const char *path, cJSON *out, kith_error *error);

/* The path behind a ticket, which is void from then on; NULL if there is none. Free it. */
char *tickets_take(tickets *all, const char *ticket);

#endif
