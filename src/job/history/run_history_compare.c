/* Whether all parties, or only some of them, have taken part in earlier runs. */
#include "job/history/run_history.h"

#include <stdio.h>

#include "core/error.h"
#include "protocol/leave_together.h"

static const message_type before_type = {"history.before", DISCLOSE_CONTROL};

/* "north, south": the parties whose answer is this one. */
static void list_parties(char *text, size_t size, const party *p, const unsigned char *before,
                         unsigned char answer)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < party_count(p) && used < size; i++)
        if (before[i] == answer)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ",
                                     party_name(p, i));
}

kith_status run_history_compare(party *p, const kith_study *study, run_history_before before,
                                kith_error *error)
{
    unsigned char answers[PARTY_MAX] = {0};
    void *places[PARTY_MAX];
    char with[200], without[200];
    bool published = false, opened = false, never = false;
    if (study->joint.again)
        return KITH_OK;
    for (uint32_t i = 0; i < party_count(p); i++)
        places[i] = &answers[i];
    answers[party_self(p)] = (unsigned char)before;
    const char *step = party_step(p, "earlier runs");
    TRY(party_exchange(p, &before_type, &answers[party_self(p)], places, 1, error));
    for (uint32_t i = 0; i < party_count(p); i++) {
        if (answers[i] > RUN_HISTORY_TRIED)
            return party_protocol_error(p, i, error, "sent an invalid word about earlier runs");
        published |= answers[i] == RUN_HISTORY_PUBLISHED;
        opened |= answers[i] == RUN_HISTORY_OPENED;
    }
    for (uint32_t i = 0; i < party_count(p); i++) {
        if (published && answers[i] == RUN_HISTORY_TRIED)
            answers[i] = RUN_HISTORY_NEVER; /* it has not begun the run of that release */
        never |= answers[i] == RUN_HISTORY_NEVER;
    }
    party_step(p, step);
    if (!(published || opened) || !never)
        return KITH_OK;
    leave_together(p, &leave_together_word);
    list_parties(with, sizeof with, p, answers,
                 published ? RUN_HISTORY_PUBLISHED : RUN_HISTORY_OPENED);
    list_parties(without, sizeof without, p, answers, RUN_HISTORY_NEVER);
    if (published)
        error_set(error, KITH_INVALID,
                  "the study %.60s was run before by %s, but not by %s: anyone who compares both "
                  "releases learns about the difference",
                  study->name, with, without);
    else
        error_set(error, KITH_INVALID,
                  "an earlier run of the study %.60s ended without a release after answers about "
                  "records had been opened; %s took part with the same data as now, but %s with "
                  "other data or not at all: who compares the answers of both runs learns about "
                  "the difference",
                  study->name, with, without);
    return error_hint(error, KITH_INVALID, RUN_HISTORY_AGAIN);
}
