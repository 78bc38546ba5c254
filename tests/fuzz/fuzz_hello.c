/* Any bytes as the handshake messages of a peer with a valid certificate: each is
 * accepted or refused with an error that names the peer, and a hello made by this party is
 * accepted. The first byte chooses the study with which theirs is compared. */
#include <stdlib.h>
#include <string.h>

#include "wire/tls/tls_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const tls_peer peers[3] = {{.name = "north"}, {.name = "south"}, {.name = "east"}};
static const agreement_entry entries[3] = {
    {"study", "first"}, {"columns.age.role", "second"}, {"privacy.1.k", "third"}};

/* Feeds the messages in `data` to a link, as tls_handshake.c does; true if the peer confirmed a
 * run. */
static bool feed(tls_mesh *m, tls_link *l, const uint8_t *data, size_t size)
{
    while (m->error.status == KITH_OK && size >= HELLO_HEADER_BYTES && !l->confirmed) {
        memcpy(l->head, data, HELLO_HEADER_BYTES);
        data += HELLO_HEADER_BYTES;
        size -= HELLO_HEADER_BYTES;
        if (!tls_hello_begin(m, l))
            break;
        if (l->body_length > size)
            break; /* the rest never comes */
        memcpy(l->body, data, l->body_length);
        data += l->body_length;
        size -= l->body_length;
        tls_hello_receive(m, l);
    }
    return l->confirmed;
}

static void release(tls_link *l)
{
    free(l->body);
    free(l->out);
}

/* The other end accepts what this party writes. */
static void check_own_greeting(const tls_options *theirs)
{
    identity id = {0};
    tls_options mine = {.count = 3, .self = 1, .peers = peers, .identity = &id};
    mine.agreement = theirs->agreement;
    tls_mesh sender = {.options = &mine, .listener = -1},
             receiver = {.options = theirs, .listener = -1};
    tls_link out = {.peer = 0}, in = {.peer = 1};
    tls_hello_send(&sender, &out);
    feed(&receiver, &in, out.out, out.out_length);
    if (receiver.error.status != KITH_OK || !in.has_hello)
        abort();
    release(&out);
    release(&in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    identity id = {0};
    tls_options options = {.count = 3, .self = 0, .peers = peers, .identity = &id};
    tls_mesh m = {.options = &options, .listener = -1};
    tls_link l = {.peer = 1};
    if (size == 0)
        return 0;
    options.agreement = (agreement){"digest", data[0] % 4, entries};
    check_own_greeting(&options);
    feed(&m, &l, data + 1, size - 1);
    if (m.error.status != KITH_OK && strstr(m.error.message, "south") == NULL &&
        strstr(m.error.message, "north") == NULL)
        abort();
    if (m.error.status == KITH_OK && l.confirmed && !l.has_hello)
        abort();
    release(&l);
    return 0;
}
