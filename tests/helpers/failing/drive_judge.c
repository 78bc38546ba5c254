/* What is right after a call has failed. */
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive.h"

static const char error_mark[] = "kith: error: ", hint_mark[] = "kith: hint: ";

typedef struct verdict {
    const judge *j;
    const scene *s;
    const char *fault;
    bool good;
} verdict;

__attribute__((format(printf, 2, 3))) static void wrong(verdict *v, const char *format, ...)
{
    va_list arguments;
    printf("FAILED: %s, %s: ", v->j->name, v->fault);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    v->good = false;
}

static size_t count_lines(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

/* A part of a file that is written from its beginning is shorter. Where lengths vary it has fewer
 * lines, or one that does not end. */
static bool is_whole(const tree_file *f, const tree_file *model)
{
    return f->length == model->length || (f->length > 0 && f->bytes[f->length - 1] == '\n' &&
                                          count_lines(f->bytes) == count_lines(model->bytes));
}

/* A text whose lines are complete, if it has any; a document whose braces match. */
static bool is_account(const tree_file *f)
{
    int depth = 0;
    bool quoted = false;
    for (const char *c = f->bytes; *c != '\0'; c++) {
        if (quoted && *c == '\\' && c[1] != '\0')
            c++;
        else if (*c == '"')
            quoted = !quoted;
        else if (!quoted)
            depth += *c == '{' ? 1 : *c == '}' ? -1 : 0;
    }
    const char *end = strrchr(f->path, '.');
    if (strcmp(end, ".json") == 0)
        return f->bytes[0] == '{' && depth == 0 && !quoted;
    return f->length == 0 || f->bytes[f->length - 1] == '\n';
}

/* Is this one of the files whose names end so? */
static bool is_among(const char *suffixes, const char *path)
{
    char list[1024], *rest = list;
    snprintf(list, sizeof list, "%s", suffixes);
    for (char *word = strtok_r(list, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest)) {
        const size_t length = strlen(path), tail = strlen(word);
        if (length >= tail && strcmp(path + length - tail, word) == 0)
            return true;
    }
    return false;
}

static bool same(const tree_file *a, const tree_file *b)
{
    return a->directory == b->directory && a->length == b->length &&
           (a->bytes == NULL || memcmp(a->bytes, b->bytes, a->length) == 0);
}

static bool is_right(const judge *j, const tree_file *f, const tree_file *model)
{
    if (f->bytes == NULL)
        return f->directory == model->directory;
    if (is_among(j->accounts, f->path))
        return is_account(f);
    return is_among(j->varies, f->path) ? is_whole(f, model) : same(f, model);
}

/* Every file is as before the run or complete, and for the same people to read. */
static void judge_files(verdict *v, const tree *now, bool survived)
{
    const judge *j = v->j;
    for (size_t i = 0; i < now->count; i++) {
        const tree_file *f = &now->files[i];
        const tree_file *old = tree_find(&j->before, f->path), *new = tree_find(&j->after, f->path);
        if (old == NULL && new == NULL)
            wrong(v, "left %s", f->path);
        else if (f->mode != (new != NULL ? new : old)->mode &&
                 (old == NULL || f->mode != old->mode))
            wrong(v, "%s has mode %o", f->path, f->mode);
        else if (old != NULL && !survived && same(f, old))
            continue;
        else if (new == NULL)
            wrong(v, "changed %s", f->path);
        else if (!is_right(j, f, new))
            wrong(v, "%s is not complete", f->path);
    }
    for (size_t i = 0; i < j->after.count; i++) {
        const char *path = j->after.files[i].path;
        if (tree_find(now, path) == NULL && (survived || tree_find(&j->before, path) != NULL))
            wrong(v, "%s is missing", path);
    }
}

/* Is this line also among those of the run without a fault? */
static bool is_known(const char *line, const char *known)
{
    const char *found = strstr(known, line);
    return found != NULL && (found == known || found[-1] == '\n');
}

/* The only message: one error, perhaps with hints. Returns it, or NULL. */
static const char *find_message(verdict *v, const actor *a, const char *known, char *copy)
{
    const char *message = NULL;
    char *rest;
    snprintf(copy, OUTPUT_BYTES, "%s", a->output[1]);
    for (char *line = strtok_r(copy, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        const bool is_error = strncmp(line, error_mark, sizeof error_mark - 1) == 0 ||
                              strcmp(line, "kith: interrupted") == 0;
        if (is_error && message == NULL)
            message = line;
        else if (is_error)
            wrong(v, "a second message: %s", line);
        else if (strncmp(line, hint_mark, sizeof hint_mark - 1) != 0 && !is_known(line, known))
            wrong(v, "says '%s'", line);
    }
    if (message == NULL)
        wrong(v, "exit status %d without a message: %s", a->status, a->output[1]);
    return message;
}

/* A message about a file names it. Temporary files have names in which that of the file occurs. */
static void judge_name(verdict *v, const char *message)
{
    char copy[TARGET_BYTES];
    const char *target = v->s->actors[0].state->target;
    /* Where several calls have failed, the message may be about any of them. */
    if (target[0] == '\0' || strstr(message, target) != NULL || v->s->actors[0].state->failed > 1)
        return;
    snprintf(copy, sizeof copy, "%s", target);
    const char *name = basename(copy);
    bool known = false;
    for (int i = 0; i < 2; i++) {
        const tree *t = i == 0 ? &v->j->before : &v->j->after;
        for (size_t k = 0; k < t->count; k++) {
            const char *path = t->files[k].path, *file = strrchr(path, '/') + 1;
            if (strstr(name, file) == NULL)
                continue;
            known = true;
            if (strstr(message, file) != NULL)
                return;
        }
    }
    if (known)
        wrong(v, "the message does not name %s: %s", target, message);
}

static void judge_companion(verdict *v, const actor *a)
{
    char copy[OUTPUT_BYTES];
    const char *name = a->command[1];
    if (a->role == SERVER && a->status != 0)
        wrong(v, "the server beside it ended with %d: %s", a->status, a->output[1]);
    if (a->role != COMPANION || a->status == 0)
        return;
    if (a->status != 3 && !(a->interrupted && a->status == 130))
        wrong(v, "the other, %s, ended with %d: %s", name, a->status, a->output[1]);
    const char *message = find_message(v, a, "", copy);
    if (message != NULL && a->status == 3 && v->j->peer != NULL &&
        strstr(message, v->j->peer) == NULL)
        wrong(v, "the other does not name %s: %s", v->j->peer, message);
}

static void judge_victim(verdict *v, const actor *a, bool gentle)
{
    char copy[OUTPUT_BYTES];
    const judge *j = v->j;
    const bool survived = a->status == j->status;
    if (a->status >= 1000)
        wrong(v, "ended by signal %d: %s", a->status - 1000, a->output[1]);
    else if (strstr(a->output[1], "Sanitizer") != NULL || a->status == 99)
        wrong(v, "%s", a->output[1]);
    else if (survived && count_lines(a->output[0]) != count_lines(j->output[0]))
        wrong(v, "exit status %d, but printed '%s'", a->status, a->output[0]);
    else if (survived && strstr(a->output[1], error_mark) != NULL)
        wrong(v, "exit status %d, but says '%s'", a->status, a->output[1]);
    else if (gentle && !survived)
        wrong(v, "exit status %d: %s", a->status, a->output[1]);
    else if (!survived && (a->status > 9 || strchr(j->statuses, '0' + a->status) == NULL))
        wrong(v, "exit status %d: %s", a->status, a->output[1]);
    else if (!survived) {
        const char *message = find_message(v, a, j->output[1], copy);
        if (message != NULL)
            judge_name(v, message);
    }
}

/* Has everybody ended as without a fault? A server may outlive a query that fails. */
static bool all_survived(const judge *j, const scene *s)
{
    bool all = s->actors[0].status == j->status;
    for (size_t i = 1; i < s->count; i++)
        all = all && s->actors[i].status == 0;
    return all;
}

bool judge_run(const judge *j, const scene *s, const char *fault, bool gentle)
{
    verdict v = {.j = j, .s = s, .fault = fault, .good = true};
    tree now = tree_read();
    judge_victim(&v, &s->actors[0], gentle);
    for (size_t i = 1; i < s->count; i++)
        judge_companion(&v, &s->actors[i]);
    judge_files(&v, &now, all_survived(j, s));
    tree_free(&now);
    return v.good;
}

bool judge_reference(const judge *j, const scene *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->actors[i].status > 1) {
            printf("FAILED: %s without a fault: exit status %d of process %zu: %s\n", j->name,
                   s->actors[i].status, i, s->actors[i].output[1]);
            return false;
        }
    return true;
}
