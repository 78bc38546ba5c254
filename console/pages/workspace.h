/* What pages keep between requests: the table that was opened last, with its description. */
#ifndef CONSOLE_PAGES_WORKSPACE_H
#define CONSOLE_PAGES_WORKSPACE_H

#include <kith/kith.h>

typedef struct workspace workspace;

workspace *workspace_new(void); /* NULL if out of memory */
void workspace_free(workspace *space);

#endif
