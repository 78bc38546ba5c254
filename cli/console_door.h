/* The file by which `kith console` hands its address to a browser. The address has a token, and the
 * arguments of a program can be read by every user of the machine; this file only by its owner. */
#ifndef CLI_CONSOLE_DOOR_H
#define CLI_CONSOLE_DOOR_H

#include <stdbool.h>

typedef struct console_door {
    char directory[512]; /* made for the file; "": there is none */
    char file[544];      /* HTML that leads to the address */
} console_door;

/* Makes the directory, in $XDG_RUNTIME_DIR or else where temporary files are, and the file. False
 * on failure, with errno; then there is nothing to close. */
bool console_door_open(console_door *door, const char *address);
/* Removes both, if they are there. */
void console_door_close(console_door *door);

#endif
