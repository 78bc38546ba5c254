/* Whether a debug build notices a broken invariant: runs a function in a child process, which must
 * end with SIGABRT. */
#ifndef SUPPORT_ABORTS_H
#define SUPPORT_ABORTS_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static inline bool aborts(void (*fn)(void))
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* cmocka may have a handler */
        close(STDERR_FILENO);     /* the message of the assertion is expected */
        fn();
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGABRT;
}

#endif
