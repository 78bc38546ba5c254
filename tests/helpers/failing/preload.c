/* The preloaded library's choice: which call fails. See failing.h. */
#include "failing.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef enum failing_mode { MODE_ONCE, MODE_ON, MODE_STORM } failing_mode;

static failing_state *state; /* NULL: nothing is counted */
static failing_kind chosen = FAILING_KINDS;
static failing_mode mode;
static unsigned long chosen_n;
static int chosen_errno; /* 0: short */
static atomic_bool in_main;

static const struct {
    const char *name;
    int value;
} errnos[] = {
    {"short", 0},
    {"EACCES", EACCES},
    {"EAGAIN", EAGAIN},
    {"ECONNABORTED", ECONNABORTED},
    {"ECONNREFUSED", ECONNREFUSED},
    {"ECONNRESET", ECONNRESET},
    {"EINTR", EINTR},
    {"EIO", EIO},
    {"EMFILE", EMFILE},
    {"ENOBUFS", ENOBUFS},
    {"ENOLCK", ENOLCK},
    {"ENOMEM", ENOMEM},
    {"ENOSPC", ENOSPC},
    {"ENOSYS", ENOSYS},
    {"EROFS", EROFS},
};

/* A test that is spelled wrong must not pass. */
static void refuse(const char *text)
{
    dprintf(STDERR_FILENO, "failing calls: do not understand '%s'\n", text);
    _exit(99);
}

static void choose(const char *text)
{
    static const char *const names[FAILING_KINDS] = FAILING_NAMES;
    char kind[32], what[32], how[32];
    if (sscanf(text, "%31[^:]:%31[^:]:%31[^:]:%lu", kind, what, how, &chosen_n) != 4)
        refuse(text);
    chosen = 0;
    while (chosen < FAILING_KINDS && strcmp(names[chosen], kind) != 0)
        chosen++;
    chosen_errno = -1;
    for (size_t i = 0; i < sizeof errnos / sizeof *errnos; i++)
        if (strcmp(errnos[i].name, what) == 0)
            chosen_errno = errnos[i].value;
    mode = strcmp(how, "on") == 0 ? MODE_ON : strcmp(how, "storm") == 0 ? MODE_STORM : MODE_ONCE;
    if (chosen == FAILING_KINDS || chosen_errno < 0 ||
        (mode == MODE_ONCE && strcmp(how, "once") != 0))
        refuse(text);
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("KITH_FAILING_STATE"), *text = getenv("KITH_FAILING");
    if (text != NULL)
        choose(text);
    if (path == NULL)
        return;
    int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    void *mapped = descriptor < 0
                       ? MAP_FAILED
                       : (void *)syscall(SYS_mmap, NULL, sizeof *state, PROT_READ | PROT_WRITE,
                                         MAP_SHARED, descriptor, 0);
    if (mapped == MAP_FAILED)
        refuse(path);
    syscall(SYS_close, descriptor);
    state = mapped;
}

/* What libraries do before main is none of the program's business. */
static int (*real_main)(int argc, char **argv, char **environment);

static int counted_main(int argc, char **argv, char **environment)
{
    in_main = true;
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

__attribute__((visibility("default"))) int __libc_start_main(int (*main)(int, char **, char **),
                                                             int argc, char **argv,
                                                             void (*init)(void), void (*fini)(void),
                                                             void (*rtld_fini)(void),
                                                             void *stack_end)
{
    real_main = main;
    return REAL(__libc_start_main)(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* Is it this call's turn? */
static bool strikes(failing_kind kind)
{
    if (state == NULL || !in_main)
        return false;
    const unsigned long n = atomic_fetch_add(&state->seen[kind], 1) + 1;
    if (kind != chosen || n < chosen_n)
        return false;
    return mode == MODE_ON || n == chosen_n || (mode == MODE_STORM && n - chosen_n < STORM);
}

static failing_fate fail(void)
{
    errno = chosen_errno;
    return chosen_errno == 0 ? FATE_SHORT : FATE_FAILS;
}

failing_fate failing_path(failing_kind kind, const char *path)
{
    if (!strikes(kind))
        return FATE_WORKS;
    if (atomic_fetch_add(&state->failed, 1) == 0 && path != NULL)
        strncpy(state->target, path, sizeof state->target - 1);
    return fail();
}

failing_fate failing_descriptor(failing_kind kind, int descriptor)
{
    if (!strikes(kind))
        return FATE_WORKS;
    if (atomic_fetch_add(&state->failed, 1) == 0) {
        char link[32];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        if (descriptor == STDOUT_FILENO)
            strcpy(state->target, "standard output");
        else
            (void)!syscall(SYS_readlinkat, AT_FDCWD, link, state->target, sizeof state->target - 1);
    }
    return fail();
}
