/* The `kith` command that does what the console does, as a line for a shell. */
#ifndef CONSOLE_SERVER_COMMAND_H
#define CONSOLE_SERVER_COMMAND_H

#include <cjson/cJSON.h>

/* Adds "command" to `out`: "kith" and the words, ended by NULL, each quoted for a shell if need be.
 * A word that is "" is left out, so that options can be given conditionally. A password in a
 * PostgreSQL address is not shown. */
void command_add(cJSON *out, const char *const *words);
/* A command of another program that comes before or after, joined by "&&"; its words as above. */
void command_before(cJSON *out, const char *program, const char *const *words);
void command_after(cJSON *out, const char *program, const char *const *words);

#endif
