/* Any bytes as the file of a party that somebody else sent, for `kith study join`: refused with
 * findings, or a study that differs from the one without parties in its parties alone. */
#include "support/fuzz_input.h"

#include <kith/joint.h>

#include "study/study.h"

static const char base[] = "study: made # by hand\n"
                           "columns:\n"
                           "  - {name: age, role: quasi-identifying, type: integer}\n"
                           "  - {name: sex, role: quasi-identifying}\n"
                           "privacy: [{model: k-anonymity, k: 2}]\n"
                           "partition: horizontal\n";

static const char first[] = "{name: first, address: '127.0.0.1:7001', key: 'sha256:"
                            "00000000000000000000000000000000000000000000000000000000000000aa'}\n";

/* Whom the file describes is whom it joins. */
static void check_described(const char *path, const kith_study *study)
{
    kith_document *d = NULL;
    kith_error error;
    char at[64];
    require(kith_parties_describe(&d, path, &error) == KITH_OK);
    require(kith_document_n_items(d, "parties") + 1 == study->n_parties);
    for (uint32_t i = 1; i < study->n_parties; i++) {
        snprintf(at, sizeof at, "parties.%u.name", i - 1);
        require(strcmp(kith_document_text(d, at, ""), study->parties[i].name) == 0);
        snprintf(at, sizeof at, "parties.%u.key", i - 1);
        require(strcmp(kith_document_text(d, at, ""), study->parties[i].key) == 0);
    }
    kith_document_free(d);
}

static void check(const char *text, const char *path)
{
    kith_study *study = NULL;
    kith_error error;
    require(strncmp(text, base, strlen(base)) == 0);
    require(kith_study_parse(&study, text, strlen(text), ".", NULL, &error) == KITH_OK);
    require(strcmp(study->name, "made") == 0 && study->n_columns == 2 && study->n_models == 1);
    require(study->models[0].k == 2 && study->n_parties >= 2);
    for (uint32_t i = 0; i < study->n_parties; i++)
        require(study_is_party_name(study->parties[i].name));
    check_described(path, study);
    kith_study_free(study);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = NULL;
    kith_error error = {0};
    kith_findings *findings = kith_findings_new();
    require(findings != NULL);
    char paths[3][512];
    snprintf(paths[0], sizeof paths[0], "%s", fuzz_file("base.yaml", base, strlen(base)));
    snprintf(paths[1], sizeof paths[1], "%s", fuzz_file("first.party", first, strlen(first)));
    snprintf(paths[2], sizeof paths[2], "%s", fuzz_file("second.party", data, size));
    const char *const parties[] = {paths[1], paths[2]};
    const kith_join_options options =
        KITH_OPTIONS(kith_join_options, .base = paths[0], .parties = parties, .n_parties = 2);
    const kith_status status = kith_study_join(&text, &options, findings, &error);
    require(status == KITH_OK || (status == KITH_INVALID && error.message[0] != '\0'));
    require((status == KITH_OK) == (kith_findings_n_problems(findings) == 0));
    if (status == KITH_OK)
        check(text, paths[2]);
    kith_free(text);
    kith_findings_free(findings);
    return 0;
}
