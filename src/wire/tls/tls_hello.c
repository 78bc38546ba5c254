/* Handshake messages, which two parties exchange after the TLS handshake and before any frame. They
 * make sure that all parties run the same version with the same study, and in the same run. Numbers
 * are little-endian, as in frames.
 *
 * HELLO:   "KITH", version (2 bytes), parties (1), sender (1), nonce (32), study digest (32),
 *          entries (4), then per entry: length of the path (1), path, hash (16)
 * WAITING: the party whose hello the sender misses (1); any number of times before a CONFIRM
 * CONFIRM: the run id (32)
 * REFUSE:  a code (1), the party to blame (1)
 * After a CONFIRM only frames follow, since the peer may begin with the run. */
#include "wire/tls/tls_internal.h"

#include <stdlib.h>
#include <string.h>

#include "core/bytes.h"
#include "core/text.h"

enum { HELLO_HEAD = 4 + 2 + 1 + 1 + NONCE_BYTES + 32 + 4 };

/* Makes room for so many bytes behind what is to be sent; the caller fills them in. NULL after
 * tls_session_fail. */
static unsigned char *append(tls_mesh *m, tls_link *l, size_t length)
{
    if (l->out_sent == l->out_length)
        l->out_sent = l->out_length = 0; /* a long wait must not make it grow */
    unsigned char *larger = realloc(l->out, l->out_length + length);
    if (larger == NULL) {
        tls_session_fail(m, KITH_NOMEM, REFUSE_OTHER, PARTY_NOBODY, "out of memory");
        return NULL;
    }
    l->out = larger;
    l->out_length += length;
    return larger + l->out_length - length;
}

/* Appends a message to what is to be sent; the caller fills in the body that it returns. NULL after
 * tls_session_fail. */
static unsigned char *begin_message(tls_mesh *m, tls_link *l, unsigned char kind, size_t length)
{
    unsigned char *head = append(m, l, HELLO_HEADER_BYTES + length);
    if (head == NULL)
        return NULL;
    head[0] = kind;
    bytes_put(head + 1, length, 4);
    return head + HELLO_HEADER_BYTES;
}

void tls_hello_send(tls_mesh *m, tls_link *l)
{
    const tls_options *o = m->options;
    const agreement *a = &o->agreement;
    unsigned version = o->version != 0 ? o->version : TLS_PROTOCOL;
    size_t length = HELLO_HEAD;
    for (size_t i = 0; i < a->n_entries; i++)
        length += 1 + strlen(a->entries[i].path) + AGREEMENT_HASH;
    unsigned char *at = begin_message(m, l, HELLO_GREETING, length);
    if (at == NULL)
        return;
    memcpy(at, "KITH", 4); /* NOLINT(bugprone-not-null-terminated-result): four bytes, no text */
    bytes_put(at + 4, version, 2);
    at[6] = (unsigned char)o->count;
    at[7] = (unsigned char)o->self;
    memcpy(at + 8, m->nonce, NONCE_BYTES);
    memcpy(at + 8 + NONCE_BYTES, a->digest, 32);
    bytes_put(at + 8 + NONCE_BYTES + 32, a->n_entries, 4);
    at += HELLO_HEAD;
    for (size_t i = 0; i < a->n_entries; i++) {
        size_t size = strlen(a->entries[i].path);
        ASSERT(size <= AGREEMENT_PATH);
        *at = (unsigned char)size;
        memcpy(at + 1, a->entries[i].path, size);
        memcpy(at + 1 + size, a->entries[i].hash, AGREEMENT_HASH);
        at += 1 + size + AGREEMENT_HASH;
    }
}

void tls_hello_send_waiting(tls_mesh *m, tls_link *l, uint32_t missing)
{
    unsigned char *at = begin_message(m, l, HELLO_WAITING, 1);
    if (at != NULL)
        at[0] = (unsigned char)missing;
}

/* Tells the peer which run this party is in; the peer compares it with its own. */
void tls_hello_send_confirm(tls_mesh *m, tls_link *l)
{
    unsigned char *at = begin_message(m, l, HELLO_CONFIRM, RUN_BYTES);
    if (at != NULL)
        memcpy(at, m->party->run, RUN_BYTES);
}

void tls_hello_send_refusal(tls_mesh *m, tls_link *l, refusal code, uint32_t blamed)
{
    unsigned char *at = begin_message(m, l, HELLO_REFUSE, 2);
    if (at == NULL)
        return;
    at[0] = (unsigned char)code;
    at[1] = (unsigned char)blamed;
}

void tls_hello_send_abort(tls_mesh *m, tls_link *l)
{
    unsigned char bytes[PARTY_ABORT_FRAME];
    size_t length = party_write_abort(m->party, l->peer, bytes);
    unsigned char *at = append(m, l, length);
    if (at != NULL)
        memcpy(at, bytes, length);
}

/* Does not quote what the peer sent: it may be anything. */
static void fail_malformed(tls_mesh *m, const tls_link *l)
{
    tls_session_fail(m, KITH_PEER, REFUSE_OTHER, l->peer, "%s sent an invalid handshake message",
                     m->options->peers[l->peer].name);
}

/* Writes the first key whose hash differs into `text`; leaves it empty if there is none. `at` walks
 * over the peer's entries. Both parties list the keys in the same order, so that the first
 * difference is where one study has a key that the other lacks, or another value. */
static void find_difference(const tls_mesh *m, const unsigned char *at, const unsigned char *end,
                            size_t n_entries, char *text, size_t size)
{
    const agreement *a = &m->options->agreement;
    for (size_t i = 0; i < n_entries; i++) {
        size_t length = at < end ? *at : 0;
        if ((size_t)(end - at) < 1 + length + AGREEMENT_HASH)
            break; /* the list is cut short; the digests differ nevertheless */
        const char *path = (const char *)at + 1;
        bool same_path = i < a->n_entries && strlen(a->entries[i].path) == length &&
                         memcmp(a->entries[i].path, path, length) == 0;
        if (!same_path && i < a->n_entries)
            text_quote(text, size, a->entries[i].path, strlen(a->entries[i].path));
        else if (!same_path)
            text_quote(text, size, path, length);
        else if (memcmp(at + 1 + length, a->entries[i].hash, AGREEMENT_HASH) != 0)
            text_quote(text, size, path, length);
        if (text[0] != '\0')
            return;
        at += 1 + length + AGREEMENT_HASH;
    }
    if (n_entries < a->n_entries)
        text_quote(text, size, a->entries[n_entries].path, strlen(a->entries[n_entries].path));
}

/* Fails the session if the studies differ. */
static void check_study(tls_mesh *m, const tls_link *l, const unsigned char *body, size_t length)
{
    char where[300] = "";
    const unsigned char *digest = body + 8 + NONCE_BYTES;
    if (memcmp(digest, m->options->agreement.digest, 32) == 0)
        return;
    find_difference(m, body + HELLO_HEAD, body + length, (size_t)bytes_get(digest + 32, 4), where,
                    sizeof where);
    tls_session_fail(m, KITH_PEER, REFUSE_STUDY, l->peer,
                     "%s does not agree with this party: %s differs",
                     m->options->peers[l->peer].name, where[0] != '\0' ? where : "the study");
}

static void read_hello(tls_mesh *m, tls_link *l)
{
    const tls_options *o = m->options;
    const unsigned char *body = l->body;
    /* Magic bytes and version stand first in every version, so that versions can be compared. */
    unsigned own = o->version != 0 ? o->version : TLS_PROTOCOL;
    if (l->has_hello || l->body_length < 6 || memcmp(body, "KITH", 4) != 0) {
        fail_malformed(m, l);
        return;
    }
    const unsigned version = (unsigned)bytes_get(body + 4, 2);
    if (version != own) {
        tls_session_fail(m, KITH_PEER, REFUSE_VERSION, l->peer,
                         "%s uses version %u of the protocol, this party uses version %u",
                         o->peers[l->peer].name, version, own);
        return;
    }
    if (l->body_length < HELLO_HEAD) {
        fail_malformed(m, l);
        return;
    }
    memcpy(l->nonce, body + 8, NONCE_BYTES);
    check_study(m, l, body, l->body_length);
    /* The study determines both, so only a broken peer gets here. */
    if (body[6] != o->count || body[7] != l->peer)
        fail_malformed(m, l);
    l->has_hello = true;
}

static void read_unknown_certificate(tls_mesh *m, const tls_link *l, uint32_t blamed)
{
    const tls_options *o = m->options;
    const char *name = o->peers[l->peer].name;
    char pin[72];
    identity_format_pin(pin, o->identity->pin);
    if (blamed < o->count && blamed != o->self)
        tls_session_fail(m, KITH_PEER, REFUSE_UNKNOWN, blamed,
                         "%s ended the session: it does not know the certificate of %s", name,
                         o->peers[blamed].name);
    else
        tls_session_fail(m, KITH_PEER, REFUSE_UNKNOWN, o->self,
                         "%s does not know the certificate of %s: the key in its study is not %s",
                         name, o->peers[o->self].name, pin);
}

/* Turns the code of a refusal into a message. The peer sends no text, since this party would show
 * it to its user. */
static void read_refusal(tls_mesh *m, tls_link *l)
{
    /* Before and behind the name of the party to blame. */
    static const struct {
        const char *before, *behind;
    } says[] = {
        [REFUSE_STALE] = {"refuses the certificate of", ": it has expired, or is not valid yet"},
        [REFUSE_VERSION] = {"ended the session: it uses a different version of the protocol than",
                            ""},
        [REFUSE_STUDY] = {"ended the session: it does not agree with", ""},
        [REFUSE_RUN] = {"ended the session:", " confirmed a different run"},
        [REFUSE_MISSING] = {"gave up waiting for", " (step connect)"},
        [REFUSE_LOST] = {"ended the session: it lost the connection to", " (step connect)"},
    };
    const tls_options *o = m->options;
    const refusal code = (refusal)l->body[0];
    const char *name = o->peers[l->peer].name;
    uint32_t blamed = l->body[1] < o->count ? l->body[1] : PARTY_NOBODY;
    const char *whom = blamed < o->count ? o->peers[blamed].name : "another party";
    l->informed = true;
    switch (code) {
    case REFUSE_UNKNOWN: read_unknown_certificate(m, l, blamed); break;
    case REFUSE_TWICE:
        tls_session_fail(m, KITH_PEER, code, l->peer, "%s is already connected to another %s", name,
                         o->peers[o->self].name);
        break;
    case REFUSE_AGAIN:
        tls_session_fail(m, KITH_PEER, code, blamed,
                         "%s%s%s will not take part because of a run before; its own message says "
                         "more (step connect)",
                         blamed == l->peer ? "" : name,
                         blamed == l->peer ? "" : " ended the session: ", whom);
        break;
    default:
        if (code < sizeof says / sizeof *says && says[code].before != NULL)
            tls_session_fail(m, KITH_PEER, code, blamed, "%s %s %s%s", name, says[code].before,
                             whom, says[code].behind);
        else
            tls_session_fail(m, KITH_PEER, REFUSE_OTHER, blamed,
                             "%s ended the session while connecting", name);
    }
}

/* The length is limited before memory is allocated: it comes from the peer. */
bool tls_hello_begin(tls_mesh *m, tls_link *l)
{
    ASSERT(l->body == NULL);
    l->body_length = (size_t)bytes_get(l->head + 1, 4);
    if (l->body_length > HELLO_MAX_BYTES) {
        fail_malformed(m, l);
        return false;
    }
    l->body = malloc(l->body_length);
    return l->body_length == 0 || l->body != NULL ||
           tls_session_fail(m, KITH_NOMEM, REFUSE_OTHER, PARTY_NOBODY, "out of memory");
}

void tls_hello_receive(tls_mesh *m, tls_link *l)
{
    ASSERT(l->peer < m->options->count);
    if (l->head[0] == HELLO_GREETING) {
        read_hello(m, l);
    } else if (l->head[0] == HELLO_REFUSE && l->body_length == 2) {
        read_refusal(m, l);
    } else if (l->head[0] == HELLO_WAITING && l->body_length == 1 && l->has_hello &&
               l->body[0] < m->options->count) {
        tls_waiting_hear(m, l, l->body[0]);
    } else if (l->head[0] == HELLO_CONFIRM && l->body_length == RUN_BYTES && l->has_hello) {
        memcpy(l->run, l->body, RUN_BYTES);
        l->confirmed = true;
    } else {
        fail_malformed(m, l);
    }
    free(l->body);
    l->body = NULL;
    l->head_got = l->body_got = l->body_length = 0;
}
