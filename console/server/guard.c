/* Who may ask. */
#include "console/server/guard.h"

#include <stdio.h>
#include <string.h>

#include <sodium.h>

void guard_token_make(char token[GUARD_TOKEN_SIZE])
{
    unsigned char bytes[GUARD_TOKEN_SIZE / 2];
    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2hex(token, GUARD_TOKEN_SIZE, bytes, sizeof bytes);
    sodium_memzero(bytes, sizeof bytes);
}

bool guard_token_equal(const char token[GUARD_TOKEN_SIZE], const char *given)
{
    return given != NULL && strlen(given) == GUARD_TOKEN_SIZE - 1 &&
           sodium_memcmp(token, given, GUARD_TOKEN_SIZE - 1) == 0;
}

/* "127.0.0.1:4000" and "localhost:4000" behind a prefix. */
static bool names_us(const char *text, const char *prefix, unsigned port)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char ours[64];
        snprintf(ours, sizeof ours, "%s%s:%u", prefix, names[i], port);
        if (strcmp(text, ours) == 0)
            return true;
    }
    return false;
}

static bool is(const char *text, const char *expected)
{
    return text != NULL && strcmp(text, expected) == 0;
}

/* A window of its own, not a frame of another page. */
static bool enters(const guard_headers *headers)
{
    return headers->front_page && is(headers->fetch_mode, "navigate") &&
           is(headers->fetch_dest, "document");
}

const char *guard_refuses(const guard_headers *headers, unsigned port)
{
    if (headers->host == NULL || !names_us(headers->host, "", port))
        return "the Host of the request is not this console";
    if (headers->origin != NULL && !names_us(headers->origin, "http://", port))
        return "the request comes from another site (Origin)";
    if (headers->fetch_site != NULL && !is(headers->fetch_site, "same-origin") &&
        !is(headers->fetch_site, "none") && !enters(headers))
        return "the request comes from another site (Sec-Fetch-Site)";
    return NULL;
}

bool guard_length(size_t *length, const char *text)
{
    if (text == NULL || text[0] == '\0' || strlen(text) > 15 ||
        strspn(text, "0123456789") != strlen(text))
        return false;
    *length = 0;
    for (const char *c = text; *c != '\0'; c++)
        *length = *length * 10 + (size_t)(*c - '0');
    return true;
}
