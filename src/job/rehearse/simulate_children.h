/* Child processes of a simulation: the parent starts them, reads their messages and ends them. */
#ifndef JOB_REHEARSE_SIMULATE_CHILDREN_H
#define JOB_REHEARSE_SIMULATE_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <kith/status.h>

enum { CHILD_OTHER = 4096 };

/* One child. What it writes to standard error is parsed as messages of kith: "kith: error: …",
 * "kith: hint: …" and "kith: PHASE …" for progress. */
typedef struct child {
    pid_t pid;  /* 0: not started, or reaped */
    int errors; /* reading end of its standard error, -1: closed */
    bool ended; /* reaped: wait_status, ended_at and peak_rss_bytes are set */
    int wait_status;
    double ended_at;
    uint64_t peak_rss_bytes;
    char line[1200]; /* the beginning of a line whose end has not been read */
    size_t used;
    char phase[64];                /* of its last progress message */
    char message[1024], hint[512]; /* of its first error */
    char other[CHILD_OTHER];       /* everything else */
    size_t other_length;
} child;

/* Runs `arguments` (the first names the program) in `directory`, with the file `input` as standard
 * input and nothing as standard output. The child is in a process group of its own and gets SIGKILL
 * when this process dies. */
kith_status simulate_children_start(child *c, const char *const *arguments, const char *directory,
                                    const char *input, kith_error *error) KITH_MUST_USE;

/* Waits until any child writes or ends, at most timeout_ms, then reads their output and reaps those
 * that have ended. Returns the number of children that still run. */
uint32_t simulate_children_wait(child *children, uint32_t count, int timeout_ms);

/* Kills and reaps all that still run. */
void simulate_children_kill(child *children, uint32_t count);

/* The status of a child that has ended, as its parent reports it: the child's own error with its
 * message, or KITH_PEER if a signal ended it. */
kith_status simulate_children_status(const child *c, const char *name, kith_error *error);

#endif
