/* A message that parties pass on. */
#ifndef SUPPORT_BALL_H
#define SUPPORT_BALL_H

#include "wire/party.h"

static const message_type ball = {"test.ball", DISCLOSE_MASKED};

/* All parties call it; only `from` and `to` do something. */
static inline kith_status ball_pass(party *p, uint32_t from, uint32_t to, kith_error *error)
{
    uint64_t value = 7;
    if (party_self(p) == from)
        return party_send(p, to, &ball, &value, sizeof value, error);
    if (party_self(p) == to)
        return party_recv(p, from, &ball, &value, sizeof value, error);
    return KITH_OK;
}

#endif
