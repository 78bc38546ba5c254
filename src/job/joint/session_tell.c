/* What a party tells its user about a run that is under way. */
#include "job/joint/session.h"

#include <stdio.h>
#include <string.h>

#include "core/document.h"

static void put_absent(kith_document *d, const char *names)
{
    document_node *list = document_array(d, document_root(d), "absent");
    char name[128];
    while (names != NULL && *names != '\0' && *names != ':') {
        const size_t length = strcspn(names, ",:");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        document_put_text(d, list, NULL, name);
        names += length;
        names += strspn(names, ", ");
    }
}

/* Before there is a ledger: who is expected. */
static kith_document *describe_connecting(const session *s)
{
    kith_document *d = document_new();
    if (d == NULL)
        return NULL;
    document_node *root = document_root(d);
    document_put_text(d, root, "outcome", "connecting");
    document_put_text(d, root, "party", s->heading.names[s->heading.self]);
    document_node *names = document_array(d, root, "parties");
    for (uint32_t i = 0; i < s->heading.count; i++)
        document_put_text(d, names, NULL, s->heading.names[i]);
    return d;
}

static kith_document *describe_ledger(const session *s)
{
    kith_document *d = NULL;
    ledger_heading heading = s->heading;
    if (heading.outcome == NULL)
        heading.outcome = "running";
    if (ledger_document(party_ledger(s->party), &heading, &d, NULL) != KITH_OK) {
        kith_document_free(d);
        return NULL;
    }
    const uint32_t culprit = party_culprit(s->party);
    document_put_text(d, document_root(d), "step", party_current_step(s->party));
    if (culprit < heading.count)
        document_put_text(d, document_root(d), "left", heading.names[culprit]);
    return d;
}

void session_tell(const session *s, const char *absent)
{
    if (s->options->watch == NULL || s->heading.names == NULL)
        return;
    kith_document *d = s->party == NULL ? describe_connecting(s) : describe_ledger(s);
    if (d == NULL)
        return;
    put_absent(d, absent);
    if (document_status(d, NULL) == KITH_OK)
        s->options->watch(s->options->watch_user, d);
    kith_document_free(d);
}
