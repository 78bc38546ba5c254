#include "protocol/leave_together.h"

const message_type leave_together_word = {"leave.together", DISCLOSE_CONTROL}; /* message 0 */

void leave_together(party *p, const message_type *type)
{
    unsigned char theirs[PARTY_MAX], mine = 0;
    void *places[PARTY_MAX];
    for (uint32_t i = 0; i < party_count(p); i++)
        places[i] = &theirs[i];
    (void)!party_exchange(p, type, &mine, places, sizeof mine, NULL);
}
