/* kith_joint_describe: what the parties of a study agree to; kith_parties_describe: who would join
 * it. */
#include <kith/joint.h>

#include "core/arena.h"
#include "core/document.h"
#include "core/error.h"
#include "core/findings.h"
#include "job/fingerprint_api.h"
#include "job/joint/joint_disclosures.h"
#include "job/joint/joint_summary.h"
#include "study/schema/party_file.h"
#include "core/fingerprint.h"

static void put_party(kith_document *d, document_node *list, const char *name, const char *address,
                      const char *key)
{
    unsigned char pin[FINGERPRINT_BYTES];
    document_node *one = document_object(d, list, NULL);
    document_put_text(d, one, "name", name);
    if (address != NULL)
        document_put_text(d, one, "address", address);
    document_put_text(d, one, "key", key);
    if (fingerprint_parse(pin, key))
        fingerprint_api_put(d, one, pin);
}

kith_status kith_joint_describe(kith_document **document, const kith_study *study,
                                kith_error *error)
{
    char digest[65];
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *root = document_root(d);
    kith_study_digest(digest, study);
    document_put_text(d, root, "study", study->name);
    document_put_text(d, root, "digest", digest);
    fingerprint_api_put(d, root, study->digest);
    document_node *parties = document_array(d, root, "parties");
    for (uint32_t i = 0; i < study->n_parties; i++)
        put_party(d, parties, study->parties[i].name, study->parties[i].address,
                  study->parties[i].key);
    if (study->joint.partition != PARTITION_NONE) {
        document_put_text(d, root, "protocol", options_protocol_name(&study->joint));
        joint_disclosures_put(d, root, study);
        joint_summary_put_left_out(d, root, study);
    }
    return document_finish(document, d, error);
}

kith_status kith_parties_describe(kith_document **document, const char *path, kith_error *error)
{
    party_line *lines;
    size_t n_lines;
    arena *memory ARENA_SCOPED = TRY_ALLOC(arena_new(), error);
    kith_findings *findings FINDINGS_SCOPED = TRY_ALLOC(kith_findings_new(), error);
    TRY(party_file_read(&lines, &n_lines, path, memory, findings, error));
    kith_document *d = TRY_ALLOC(document_new(), error);
    document_node *list = document_array(d, document_root(d), "parties");
    for (size_t i = 0; i < n_lines; i++)
        put_party(d, list, lines[i].name, lines[i].address, lines[i].key);
    return document_finish(document, d, error);
}
