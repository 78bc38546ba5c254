/* Files that hold secrets, whatever they are called: the console does not list, show or replace
 * them. Modes of files say nothing about that. */
#ifndef CONSOLE_SERVER_SECRETS_H
#define CONSOLE_SERVER_SECRETS_H

#include <stdbool.h>
#include <stddef.h>

#include <kith/status.h>

/* The key files that `pseudonym:` names in any study below the working directory. */
typedef struct secrets_named {
    struct secrets_key *keys;
    size_t count, capacity;
} secrets_named;

/* Reads the studies, as they are now. Wipe it afterwards, also after an error. */
kith_status secrets_collect(secrets_named *named, kith_error *error);
void secrets_wipe(secrets_named *named);

/* True for a file that has, with all links followed, the name of a key, that begins like a private
 * key, a generator's secret, a key that a generator issued or a party's private choices, or that is
 * one of the keys of pseudonyms or a copy of it. */
bool secrets_hold(const secrets_named *named, const char *path);

#endif
