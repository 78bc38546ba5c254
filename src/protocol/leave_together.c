#include "protocol/leave_together.h"

static const message_type word_type = {"farewell.word", DISCLOSE_CONTROL};

void leave_together(party *p)
{
    unsigned char theirs[PARTY_MAX], mine = 1;
    void *places[PARTY_MAX];
    for (uint32_t i = 0; i < party_count(p); i++)
        places[i] = &theirs[i];
    (void)!party_exchange(p, &word_type, &mine, places, sizeof mine, NULL);
}
