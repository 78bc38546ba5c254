#include "console_door.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* The first of these that is set: the runtime directory belongs to the user and is in memory. */
static const char *place(void)
{
    static const char *const names[] = {"XDG_RUNTIME_DIR", "TMPDIR"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *path = getenv(names[i]);
        if (path != NULL && path[0] == '/' && access(path, W_OK | X_OK) == 0)
            return path;
    }
    return "/tmp";
}

/* The address is ours: it has no character that HTML would take for its own. */
static bool write_page(const char *path, const char *address)
{
    const int descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    FILE *out = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (out == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    fprintf(out,
            "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
            "<meta name=\"referrer\" content=\"no-referrer\">\n"
            "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n<title>kith console</title>\n"
            "<p><a href=\"%s\">To the console</a></p>\n</html>\n",
            address, address);
    const bool good = fflush(out) == 0;
    return fclose(out) == 0 && good;
}

bool console_door_open(console_door *door, const char *address)
{
    const int length =
        snprintf(door->directory, sizeof door->directory, "%s/kith-console-XXXXXX", place());
    if (length >= (int)sizeof door->directory)
        errno = ENAMETOOLONG;
    if (length >= (int)sizeof door->directory || mkdtemp(door->directory) == NULL) {
        door->directory[0] = '\0';
        return false;
    }
    snprintf(door->file, sizeof door->file, "%s/open.html", door->directory);
    if (write_page(door->file, address))
        return true;
    const int why = errno;
    console_door_close(door);
    errno = why;
    return false;
}

void console_door_close(console_door *door)
{
    if (door->directory[0] == '\0')
        return;
    unlink(door->file);
    rmdir(door->directory);
    door->directory[0] = '\0';
}
