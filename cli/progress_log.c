/* Progress where there is no terminal: a log is read later, so it gets few lines, each with what is
 * being done and how far it is. A phase of at least a second is named once; else lines come after
 * ten seconds and become rarer. Whom a party waits for is said at once. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

/* Has no line named this phase yet? Notes it; a list that is full names no more. */
static bool is_new(progress_log *log, const char *phase)
{
    char entry[80];
    const size_t used = strlen(log->said);
    const int length = snprintf(entry, sizeof entry, "\n%.70s\n", phase);
    if (strstr(log->said, entry) != NULL || used + (size_t)length >= sizeof log->said)
        return false;
    snprintf(log->said + used, sizeof log->said - used, "%s", entry);
    return true;
}

void progress_log_say(progress_log *log, const progress_state *now)
{
    static const double patience = 1, first_pause = 10, longest_pause = 300;
    const bool waits = strncmp(now->phase, "waiting ", strlen("waiting ")) == 0;
    const bool changed = strcmp(log->last, now->phase) != 0;
    const bool named = (waits || now->elapsed >= patience) && is_new(log, now->phase);
    if (!named && !(waits && changed) && (log->pause <= 0 || now->time < log->next))
        return;
    fprintf(stderr, "kith: %s", now->phase);
    if (now->detail[0] != '\0' && log->pause > 0)
        fprintf(stderr, ": %s", now->detail);
    if (now->share >= 0.01)
        fprintf(stderr, ", %.0f%%", 100 * (now->share > 1 ? 1 : now->share));
    if (now->elapsed >= first_pause)
        fprintf(stderr, ", %s so far", human_seconds(now->elapsed));
    if (now->share >= 0.05 && now->share < 1 && now->elapsed >= first_pause)
        fprintf(stderr, ", about %s left", human_seconds(now->elapsed / now->share - now->elapsed));
    fputs(" …\n", stderr);
    snprintf(log->last, sizeof log->last, "%s", now->phase);
    log->pause = log->pause <= 0 ? first_pause : 2 * log->pause;
    if (log->pause > longest_pause)
        log->pause = longest_pause;
    log->next = now->time + log->pause;
}
