#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "core/bytes.h"
#include "wire/tls/tls_listener.h"

/* --- preambles --- */

static const char magic[7] = "KITHQ1\n";

void tls_preamble_write(unsigned char bytes[PREAMBLE_BYTES], const tls_preamble *preamble)
{
    memcpy(bytes, magic, sizeof magic);
    bytes[sizeof magic] = (unsigned char)preamble->kind;
    memcpy(bytes + sizeof magic + 1, preamble->id, SESSION_ID_BYTES);
}

bool tls_preamble_read(tls_preamble *preamble, const unsigned char bytes[PREAMBLE_BYTES])
{
    preamble->kind = (char)bytes[sizeof magic];
    memcpy(preamble->id, bytes + sizeof magic + 1, SESSION_ID_BYTES);
    return memcmp(bytes, magic, sizeof magic) == 0 &&
           (preamble->kind == PREAMBLE_ASK || preamble->kind == PREAMBLE_JOIN);
}

int tls_preamble_send(int descriptor, const tls_preamble *preamble)
{
    unsigned char bytes[PREAMBLE_BYTES];
    tls_preamble_write(bytes, preamble);
    for (size_t done = 0; done < sizeof bytes;) {
        const ssize_t sent = send(descriptor, bytes + done, sizeof bytes - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return errno;
        done += sent < 0 ? 0 : (size_t)sent;
    }
    return 0;
}

/* --- messages between a client and a listener --- */

enum { VALUE = 8, DIGEST = 16 };

void listener_message_write(unsigned char bytes[LISTENER_MESSAGE_BYTES], const listener_message *m)
{
    memset(bytes, 0, LISTENER_MESSAGE_BYTES);
    bytes[0] = m->kind;
    bytes[1] = m->code;
    bytes_put(bytes + VALUE, (uint64_t)m->value, 8);
    memcpy(bytes + DIGEST, m->digest, sizeof m->digest);
}

bool listener_message_read(listener_message *m, const unsigned char bytes[LISTENER_MESSAGE_BYTES])
{
    static const unsigned char zeros[VALUE - 2];
    *m = (listener_message){
        .kind = bytes[0], .code = bytes[1], .value = (int64_t)bytes_get(bytes + VALUE, 8)};
    memcpy(m->digest, bytes + DIGEST, sizeof m->digest);
    return memcmp(bytes + 2, zeros, sizeof zeros) == 0 && m->kind != '\0' &&
           strchr("ATGR", m->kind) != NULL;
}
