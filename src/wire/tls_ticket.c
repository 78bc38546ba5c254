#include <string.h>

#include "wire/tls_session.h"

static const char magic[7] = "KITHQ1\n";

void tls_ticket_write(unsigned char bytes[TICKET_BYTES], const tls_ticket *ticket)
{
    memcpy(bytes, magic, sizeof magic);
    bytes[sizeof magic] = (unsigned char)ticket->kind;
    memcpy(bytes + sizeof magic + 1, ticket->id, TICKET_ID);
}

bool tls_ticket_read(tls_ticket *ticket, const unsigned char bytes[TICKET_BYTES])
{
    ticket->kind = (char)bytes[sizeof magic];
    memcpy(ticket->id, bytes + sizeof magic + 1, TICKET_ID);
    return memcmp(bytes, magic, sizeof magic) == 0 &&
           (ticket->kind == TICKET_ASK || ticket->kind == TICKET_JOIN);
}
