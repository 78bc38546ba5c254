/* The console: Kith as a local web application. */
#ifndef CONSOLE_CONSOLE_H
#define CONSOLE_CONSOLE_H

#include <stdbool.h>

#include <kith/status.h>

typedef struct console_options {
    const char *directory; /* that it works in; nothing outside of it is read or written */
    unsigned port;         /* 0: any that is free */
    bool read_only;        /* shows reports and does nothing else */
    /* Gets each address with its one-time token: the first, and another when one was used. */
    void (*tell)(void *user, const char *address);
    void *user;
} console_options;

/* Enters the directory and serves until SIGINT or SIGTERM; work that is under way is stopped then.
 */
kith_status console_serve(const console_options *options, kith_error *error);

#endif
