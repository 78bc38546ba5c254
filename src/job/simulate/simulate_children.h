/* Child processes of a simulation: started, listened to, and ended with their parent. */
#ifndef JOB_SIMULATE_SIMULATE_CHILDREN_H
#define JOB_SIMULATE_SIMULATE_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <kith/status.h>

enum { CHILD_SAID = 4096 };

/* One child. What it writes to standard error is taken apart as the program's own messages. */
typedef struct child {
    pid_t pid;  /* 0: not started, or reaped */
    int errors; /* reading end of its standard error, -1: closed */
    bool ended; /* exit status and usage are known */
    int wait_status;
    double ended_at;
    uint64_t peak_rss_bytes;
    char line[1200]; /* in the making */
    size_t used;
    char phase[64];                /* the last one that it named */
    char message[1024], hint[512]; /* of its first error */
    char said[CHILD_SAID];         /* everything else */
    size_t said_length;
} child;

/* Runs `arguments` (the first names the program) in `directory`, with the file `input` as standard
 * input and nothing as standard output. The child is in a process group of its own and gets SIGKILL
 * when this process dies. */
kith_status simulate_children_start(child *c, const char *const *arguments, const char *directory,
                                    const char *input, kith_error *error) KITH_MUST_USE;

/* Waits for news of any child, at most so long: reads what they say and notices who has ended.
 * Returns the number of those that have not. */
uint32_t simulate_children_wait(child *children, uint32_t count, int timeout_ms);

/* Ends all that still run. */
void simulate_children_kill(child *children, uint32_t count);

/* What the end of a child means for whoever started it: its own error, with its message, or
 * KITH_PEER if a signal ended it. */
kith_status simulate_children_status(const child *c, const char *name, kith_error *error);

#endif
