#include "protocol/leave_together.h"

static const message_type word_type = {"farewell.word", DISCLOSE_CONTROL};

void farewell(party *p)
{
    unsigned char theirs[PARTY_MOST], mine = 1;
    void *places[PARTY_MOST];
    for (uint32_t i = 0; i < party_count(p); i++)
        places[i] = &theirs[i];
    (void)!party_exchange(p, &word_type, &mine, places, sizeof mine, NULL);
}
