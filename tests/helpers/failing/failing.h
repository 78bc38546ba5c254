/* A library for tests that is preloaded into a program (LD_PRELOAD) and makes one of its calls
 * fail.
 *
 * KITH_FAILING=KIND:WHAT:MODE:N chooses the call: the N-th one of that kind since main began. WHAT
 * is the name of an errno, or "short": the call does a part of its work and says so. MODE is
 * "once", "on" (that call and all later ones) or "storm" (that call and the next STORM ones). Calls
 * of child processes count, too. Without the variable nothing fails and all kinds are counted.
 *
 * KITH_FAILING_STATE names a file that holds a failing_state. It is mapped, so that whoever started
 * the program sees what happened however the program ended. */
#ifndef FAILING_H
#define FAILING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum failing_kind {
    FAILING_MEMORY, /* malloc and its kin */
    FAILING_MAP,    /* mmap, which keys are kept in */
    FAILING_OPEN,   /* files, also temporary ones, and directories */
    FAILING_MKDIR,
    FAILING_READ,
    FAILING_WRITE, /* not to standard error */
    FAILING_SYNC,
    FAILING_RENAME, /* and links */
    FAILING_CLOSE,  /* closes, then says that it could not */
    FAILING_STATUS, /* stat, access, chmod and the like */
    FAILING_LOCK,
    FAILING_SOCKET, /* also options, bind and listen */
    FAILING_CONNECT,
    FAILING_ACCEPT,
    FAILING_SEND,
    FAILING_RECV,
    FAILING_POLL,
    FAILING_THREAD,
    FAILING_PROCESS, /* fork and pipe */
    FAILING_RANDOM,
    FAILING_KINDS
} failing_kind;

#define FAILING_NAMES                                                                           \
    {                                                                                           \
        "memory", "map", "open", "mkdir", "read", "write", "sync", "rename", "close", "status", \
            "lock", "socket", "connect", "accept", "send", "recv", "poll", "thread", "process", \
            "random"                                                                            \
    }

enum { STORM = 1000, TARGET_BYTES = 1024 };

typedef struct failing_state {
    atomic_ulong seen[FAILING_KINDS];
    atomic_ulong failed;
    char target[TARGET_BYTES]; /* path of what the first failing call was about, or empty */
} failing_state;

/* What becomes of this call: it is carried out, it fails with errno set, or it does a part. */
typedef enum failing_fate { FATE_WORKS, FATE_FAILS, FATE_SHORT } failing_fate;

/* About a path (may be NULL), or about an open file. */
failing_fate failing_path(failing_kind kind, const char *path);
failing_fate failing_descriptor(failing_kind kind, int descriptor);

/* The function of that name that the program would call without this library. */
#define REAL(name)                                      \
    __extension__({                                     \
        static __typeof__(&(name)) real_;               \
        if (real_ == NULL)                              \
            *(void **)&real_ = dlsym(RTLD_NEXT, #name); \
        real_;                                          \
    })

#endif
