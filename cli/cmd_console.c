/* kith console: a local web application. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#if KITH_CONSOLE
#include <errno.h>
#include <string.h>

#include "console_door.h"
#include "console/console.h"
#endif

static const help_page page = {
    .usage = "kith console [DIR] [OPTION]…",
    .text = "Serves a web application for this machine alone: look at data, build hierarchies,\n"
            "write a study, anonymize, compare runs, and take part in joint runs. It works in DIR\n"
            "(default: the current directory) and touches no file outside of it. Everything that\n"
            "it does it shows as the command that would do the same.\n\n"
            "It prints an address with a token that works once, and opens a browser if there is\n"
            "one. Only programs of this machine can connect. Ctrl-C ends it.",
    .example = "  kith console studies\n"
               "  kith console results --read-only --port 8080",
};

#if KITH_CONSOLE
typedef struct telling {
    bool opens;   /* a browser, with the first address */
    bool started; /* the first one was told */
    console_door door;
} telling;

/* A grandchild, so that nobody has to wait for the browser. */
static void open_browser(const char *file)
{
    const pid_t child = fork();
    if (child > 0)
        waitpid(child, NULL, 0);
    if (child != 0)
        return;
    const int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0 || fork() != 0)
        _exit(0);
    for (int i = 0; i < 3; i++)
        dup2(nowhere, i);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execlp("xdg-open", "xdg-open", file, (char *)NULL);
    _exit(1);
}

static void tell(void *user, const char *address)
{
    telling *t = user;
    if (t->started)
        printf("Another window: %s\n", address);
    else
        printf("The console is at %s\nThe address works once. Ctrl-C ends the console.\n", address);
    fflush(stdout);
    if (t->started)
        console_door_close(&t->door); /* its address was used */
    else if (t->opens && console_door_open(&t->door, address))
        open_browser(t->door.file);
    else if (t->opens)
        fprintf(stderr, "No browser is opened: %s\n", strerror(errno));
    t->started = true;
}

static int serve(const char *directory, unsigned port, bool read_only, bool opens)
{
    telling t = {.opens = opens};
    kith_error error = {0};
    const console_options options = {
        .directory = directory, .port = port, .read_only = read_only, .tell = tell, .user = &t};
    secrecy_begin();
    const kith_status status = console_serve(&options, &error);
    console_door_close(&t.door);
    return status == KITH_OK ? EXIT_DONE : report_error(&error);
}
#else
static int serve(const char *directory, unsigned port, bool read_only, bool opens)
{
    (void)directory;
    (void)port;
    (void)read_only;
    (void)opens;
    return report_usage("this kith was built without the console (KITH_CONSOLE=OFF)");
}
#endif

int cmd_console(int argc, char **argv)
{
    uint64_t port = 0;
    bool read_only = false, no_browser = false;
    const option_spec options[] = {
        {"port", 0, OPTION_COUNT, &port, "N", "listen on this port (default: any free one)"},
        {"read-only", 0, OPTION_FLAG, &read_only, NULL, "show the reports of DIR, nothing else"},
        {"no-browser", 0, OPTION_FLAG, &no_browser, NULL, "do not open a browser"},
        OPTION_END};
    int status = EXIT_DONE;
    const int count = options_parse(&page, options, argc, argv, 0, 1, &status);
    if (count < 0)
        return status;
    if (port > 65535)
        return report_usage("--port is at most 65535");
    const bool opens =
        !no_browser && (getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL);
    return serve(count == 1 ? argv[1] : ".", (unsigned)port, read_only, opens);
}
