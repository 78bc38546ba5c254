/* Who may ask: the checks that come before anything of a request is used. */
#ifndef CONSOLE_SERVER_GUARD_H
#define CONSOLE_SERVER_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* 256 random bits as hexadecimal digits and NUL. */
enum { GUARD_TOKEN_SIZE = 65 };
void guard_token_make(char token[GUARD_TOKEN_SIZE]);
/* Compares in constant time; NULL is never equal. */
bool guard_token_equal(const char token[GUARD_TOKEN_SIZE], const char *given);

/* The headers that matter here; NULL: not there. */
typedef struct guard_headers {
    const char *host;
    const char *origin;
    const char *fetch_site; /* Sec-Fetch-Site */
    const char *fetch_mode; /* Sec-Fetch-Mode */
    const char *fetch_dest; /* Sec-Fetch-Dest */
    const char *length;     /* Content-Length */
    bool front_page;        /* asks for "/", which shows nothing of the directory */
} guard_headers;

/* A Host other than this server's means that a foreign name was bound to 127.0.0.1; an Origin or
 * Sec-Fetch-Site of elsewhere means that another site asks. Navigations have the site "none" (typed
 * or opened by a program). A window may come to the front page from elsewhere: a file leads the
 * browser there. NULL if all is well, else the reason. */
const char *guard_refuses(const guard_headers *headers, unsigned port);

/* Reads a Content-Length: digits alone. */
bool guard_length(size_t *length, const char *text);

#endif
