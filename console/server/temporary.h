/* Files of the directory that are not complete yet: uploads, and copies before they get their name.
 * They are called .kith-console-XXXXXX.csv and locked, so that a later console knows those that
 * nobody writes any more. */
#ifndef CONSOLE_SERVER_TEMPORARY_H
#define CONSOLE_SERVER_TEMPORARY_H

#include <stdbool.h>

enum { TEMPORARY_PATH = 40 };

/* Removes what consoles that were killed have left. Before any thread is started. */
void temporary_begin(void);

/* A new file, which only its owner may read unless it is `shared`. Its descriptor holds the lock;
 * -1 on failure, with errno. */
int temporary_open(char path[TEMPORARY_PATH], bool shared);
/* Lets others read a file that is not shared yet, as far as the umask allows. False on failure,
 * with errno. */
bool temporary_share(const char *path);

#endif
