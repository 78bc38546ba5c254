#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "core/bytes.h"
#include "wire/tls/tls_front.h"

/* --- tickets --- */

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

int tls_ticket_send(int descriptor, const tls_ticket *ticket)
{
    unsigned char bytes[TICKET_BYTES];
    tls_ticket_write(bytes, ticket);
    for (size_t done = 0; done < sizeof bytes;) {
        const ssize_t sent = send(descriptor, bytes + done, sizeof bytes - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return errno;
        done += sent < 0 ? 0 : (size_t)sent;
    }
    return 0;
}

/* --- messages between an asker and a listener --- */

enum { VALUE = 8, DIGEST = 16 };

void knock_message_write(unsigned char bytes[KNOCK_BYTES], const knock_message *m)
{
    memset(bytes, 0, KNOCK_BYTES);
    bytes[0] = m->kind;
    bytes[1] = m->code;
    bytes_put(bytes + VALUE, (uint64_t)m->value, 8);
    memcpy(bytes + DIGEST, m->digest, sizeof m->digest);
}

bool knock_message_read(knock_message *m, const unsigned char bytes[KNOCK_BYTES])
{
    static const unsigned char zeros[VALUE - 2];
    *m = (knock_message){
        .kind = bytes[0], .code = bytes[1], .value = (int64_t)bytes_get(bytes + VALUE, 8)};
    memcpy(m->digest, bytes + DIGEST, sizeof m->digest);
    return memcmp(bytes + 2, zeros, sizeof zeros) == 0 && m->kind != '\0' &&
           strchr("ATGR", m->kind) != NULL;
}
