/* Waiting while a session is opened: for hellos and for confirmations, and who is named if they do
 * not come.
 *
 * A peer confirms the run when it has all hellos, and begins with it when it has all confirmations.
 * A party that misses a hello tells the others for whom it waits, so that it is not taken for the
 * one that was lost. And a party that waits for a peer is more patient than that peer is with
 * others: so the first to give up is the one that misses something from the lost party, and it
 * tells the others. */
#include <stdio.h>
#include <string.h>

#include "wire/tls/tls_internal.h"

int64_t tls_waiting_confirm_timeout_us(const tls_mesh *m)
{
    return 2 * tls_dial_handshake_timeout_us(m);
}

/* Is this a peer whose hello, or confirmation, has not come? */
static bool is_missing(const tls_mesh *m, uint32_t i, bool confirmation)
{
    return i != m->options->self && !(confirmation ? m->links[i].confirmed : m->links[i].has_hello);
}

/* The first such peer; PARTY_NOBODY: none. */
static uint32_t first_without(const tls_mesh *m, bool confirmation)
{
    for (uint32_t i = 0; i < m->options->count; i++)
        if (is_missing(m, i, confirmation))
            return i;
    return PARTY_NOBODY;
}

const char *tls_waiting_list(const tls_mesh *m, char *text, size_t size)
{
    const tls_options *o = m->options;
    const bool confirmation = first_without(m, false) == PARTY_NOBODY;
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < o->count && used + 1 < size; i++)
        if (is_missing(m, i, confirmation)) {
            int wrote =
                snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ", o->peers[i].name);
            used += wrote > 0 ? (size_t)wrote : 0;
        }
    return text;
}

/* Was the last note about a peer that is still missing? */
static bool note_counts(const tls_mesh *m)
{
    return m->note[0] != '\0' && (m->noted == PARTY_NOBODY || !m->links[m->noted].has_hello);
}

const char *tls_waiting_why(const tls_mesh *m, char *text, size_t size)
{
    tls_waiting_list(m, text, size);
    const size_t used = strlen(text);
    if (used > 0 && note_counts(m))
        snprintf(text + used, size - used, ": %s", m->note);
    return text;
}

void tls_waiting_tell(tls_mesh *m, int64_t now)
{
    const int64_t pause = tls_dial_handshake_timeout_us(m) / 4;
    const uint32_t missing = first_without(m, false);
    if (m->tell_us == 0)
        m->tell_us = now + pause; /* most sessions are open before */
    if (now < m->tell_us || missing == PARTY_NOBODY)
        return;
    m->tell_us = now + pause;
    for (uint32_t i = 0; i < m->options->count; i++)
        if (m->links[i].has_hello && m->links[i].stage == LINK_HELLO)
            tls_hello_send_waiting(m, &m->links[i], missing);
}

/* Only a third party can be waited for: of its own hello a peer cannot say so, and this party's has
 * been sent. */
void tls_waiting_hear(const tls_mesh *m, tls_link *l, uint32_t missing)
{
    if (missing == m->options->self || missing == l->peer)
        return;
    l->waits_for = missing;
    l->told_us = party_now_us();
}

/* An excuse counts once: a peer that waits gets as much time again, however often it says so. */
static void check_confirmation(tls_mesh *m, uint32_t peer, int64_t now)
{
    const int64_t timeout = tls_waiting_confirm_timeout_us(m);
    const tls_link *l = &m->links[peer];
    /* Has the peer said of late that it waits for another? */
    const bool waits = l->told_us != 0 && now - l->told_us < tls_dial_handshake_timeout_us(m);
    if (!m->run_known || now <= m->confirm_us + (waits ? timeout : 0))
        return;
    tls_session_fail(m, KITH_PEER, REFUSE_MISSING, peer,
                     "%s did not confirm the run within %g s%s%s (step connect)",
                     m->options->peers[peer].name,
                     (double)(now - m->confirm_us > timeout ? 2 * timeout : timeout) / 1e6,
                     waits ? ": it says that it waits for " : "",
                     waits ? m->options->peers[l->waits_for].name : "");
}

void tls_waiting_check(tls_mesh *m, int64_t now)
{
    const tls_options *o = m->options;
    for (uint32_t i = 0; i < o->count; i++) {
        const tls_link *l = &m->links[i];
        if (i == o->self || l->confirmed)
            continue;
        if (l->stage == LINK_HELLO && !l->has_hello && now > l->limit_us)
            tls_session_fail(m, KITH_PEER, REFUSE_MISSING, i,
                             "%s did not send its hello within %g s (step connect)",
                             o->peers[i].name, (double)tls_dial_handshake_timeout_us(m) / 1e6);
        check_confirmation(m, i, now);
    }
}

bool tls_waiting_fail(tls_mesh *m, unsigned wait_ms)
{
    char names[512];
    const uint32_t missing = first_without(m, false), late = first_without(m, true);
    if (missing == PARTY_NOBODY)
        return tls_session_fail(m, KITH_PEER, REFUSE_MISSING, late,
                                "no session within %g s: %s did not confirm the run (step connect)",
                                wait_ms / 1e3,
                                late == PARTY_NOBODY ? "a peer" : m->options->peers[late].name);
    const bool told = note_counts(m);
    return tls_session_fail(m, KITH_PEER, REFUSE_MISSING, missing,
                            "no session with %s within %g s (step connect)%s%s",
                            tls_waiting_list(m, names, sizeof names), wait_ms / 1e3,
                            told ? "; last: " : "", told ? m->note : "");
}
