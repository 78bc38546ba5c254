/* kith_party_check: do all parties of a study find each other, and agree? */
#include <kith/party.h>

#include "core/document.h"
#include "core/error.h"
#include "job/session.h"

static kith_status describe(const session *s, kith_document **document, kith_error *error)
{
    kith_document *d = document_new();
    TRY_ALLOC(d, error);
    document_node *root = document_root(d);
    document_put_text(d, root, "study", s->heading.study);
    document_put_text(d, root, "digest", s->heading.digest);
    document_put_text(d, root, "party", s->heading.names[s->heading.self]);
    document_node *parties = document_array(d, root, "parties");
    for (uint32_t i = 0; i < s->heading.count; i++)
        document_put_text(d, parties, NULL, s->heading.names[i]);
    document_put_text(d, root, "run", s->heading.run);
    document_array(d, root, "discloses"); /* there is no protocol yet that would */
    *document = d;
    return document_status(d, error);
}

kith_status kith_party_check(const kith_study *study, const kith_party_options *options,
                             const kith_run *run, kith_document **document, kith_error *error)
{
    session s;
    session_terms terms = {.count = 0};
    session_agree(&terms, "command", "check");
    kith_status status = session_open(&s, study, options, &terms, run, error);
    status = session_close(&s, status, error);
    if (status == KITH_OK)
        status = describe(&s, document, error);
    session_free(&s);
    return status;
}
