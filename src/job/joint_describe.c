/* kith_joint_describe: what the parties of a study agree to. */
#include <kith/party.h>

#include "core/document.h"
#include "core/error.h"
#include "job/fingerprint_api.h"
#include "job/joint/joint_disclosures.h"
#include "job/joint/joint_summary.h"
#include "wire/identity.h"

static void put_party(kith_document *d, document_node *list, const study_party *from)
{
    unsigned char pin[IDENTITY_PIN];
    document_node *one = document_object(d, list, NULL);
    document_put_text(d, one, "name", from->name);
    if (from->address != NULL)
        document_put_text(d, one, "address", from->address);
    document_put_text(d, one, "key", from->key);
    if (identity_parse_pin(pin, from->key))
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
        put_party(d, parties, &study->parties[i]);
    if (study->joint.partition != PARTITION_NONE) {
        document_put_text(d, root, "protocol", options_protocol_name(study->joint.protocol));
        joint_disclosures_put(d, root, study);
        joint_summary_put_left_out(d, root, study);
    }
    return document_finish(document, d, error);
}
