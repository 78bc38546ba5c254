/* The files of console/web, which the build turns into C. */
#ifndef CONSOLE_SERVER_ASSETS_H
#define CONSOLE_SERVER_ASSETS_H

#include <stddef.h>

typedef struct asset {
    const char *path; /* "/app.js" */
    const char *bytes;
    const size_t *length;
} asset;

extern const asset assets[]; /* ends with a NULL path; generated */

#endif
