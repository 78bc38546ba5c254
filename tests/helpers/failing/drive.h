/* The parts of failing_calls, the program that makes calls of another program fail, one by one, and
 * judges how it takes that. Its tools: a picture of the working directory (drive_tree.c), processes
 * that belong together (drive_scene.c), what is right afterwards (drive_judge.c). */
#ifndef DRIVE_H
#define DRIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "failing.h"

/* --- the working directory --- */

typedef struct tree_file {
    char *path;
    mode_t mode;
    bool directory;
    char *bytes;
    size_t length;
} tree_file;

/* Sorted by path. */
typedef struct tree {
    tree_file *files;
    size_t count;
} tree;

tree tree_read(void);
void tree_free(tree *t);
const tree_file *tree_find(const tree *t, const char *path);
/* Makes the working directory what it was when `t` was read. */
void tree_restore(const tree *t);

/* --- processes --- */

typedef enum role {
    VICTIM,        /* its calls fail; ends by itself */
    VICTIM_SERVER, /* the same, but serves until it gets SIGTERM */
    COMPANION,     /* another party: ends by itself, too */
    SERVER         /* serves until it gets SIGTERM */
} role;

enum { ACTORS = 4, OUTPUT_BYTES = 1 << 16 };

typedef struct actor {
    role role;
    int port; /* that it listens on; 0: none */
    char **command;
    pid_t pid;
    int files[2]; /* what it prints */
    bool ended;
    bool watched;          /* the victim has ended: does this one wait for it? */
    unsigned long dialled; /* calls before that */
    bool interrupted;      /* by us: it waited for somebody who was gone */
    int status;            /* exit status, or 1000 + signal */
    char state_path[256];
    failing_state *state;         /* what its calls came to */
    char output[2][OUTPUT_BYTES]; /* standard output, standard error */
} actor;

typedef struct scene {
    actor actors[ACTORS]; /* the victim comes first */
    size_t count;
    const char *library;
    const char *state_path; /* files of this name with a number behind it */
} scene;

/* Makes the states of all actors. */
void scene_open(scene *s);
/* Runs all actors to their ends, with that fault (NULL: none) in the victim. False if somebody did
 * not end. */
bool scene_run(scene *s, const char *fault);

/* --- judging --- */

typedef struct judge {
    const char *name;     /* of the case */
    const char *statuses; /* that a failed victim may have, digits */
    const char *varies;   /* paths whose contents differ from run to run, between blanks */
    const char *accounts; /* paths of files that say how a run went */
    const char *peer;     /* name that messages about connections must have, or NULL */
    tree before, after;   /* of the run without a fault */
    int status;
    char *output[2]; /* of its victim */
} judge;

/* Says what is wrong with a run in which the fault was reached, if anything. `gentle` faults must
 * not be noticed. */
bool judge_run(const judge *j, const scene *s, const char *fault, bool gentle);
/* Is the run without a fault as it should be? */
bool judge_reference(const judge *j, const scene *s);

#endif
