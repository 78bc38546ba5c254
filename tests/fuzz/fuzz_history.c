/* Any bytes as the list of a party's earlier runs (KEY.runs): a run is let through, refused with a
 * message, or warned about. `%1` … `%5` in the text stand for the digests of this run, which no
 * fuzzer would guess: of its name, study, data, parties and secret. The first byte says whether the
 * run has data and whether it can be repeated. */
#include "support/fuzz_input.h"

#include <sodium.h>

#include "core/findings.h"
#include "job/history/choice_secret.h"
#include "job/history/run_history.h"

static const char study_text[] =
    "study: made\n"
    "columns: [{name: age, role: quasi-identifying, type: integer}]\n"
    "privacy: [{model: k-anonymity, k: 2}]\n"
    "partition: horizontal\n"
    "parties:\n"
    "  - {name: a, address: '127.0.0.1:7001', key: 'sha256:" /* 64 digits */
    "0000000000000000000000000000000000000000000000000000000000000001'}\n"
    "  - {name: b, address: '127.0.0.1:7002', key: 'sha256:"
    "0000000000000000000000000000000000000000000000000000000000000002'}\n";

enum { DIGESTS = 5, HEX = 65 };

/* The digests as a line of the list has them: those behind the word and the time. */
static void own_digests(char digests[DIGESTS][HEX], const run_history *h)
{
    char line[1024] = "";
    kith_error error;
    unlink(fuzz_path("key.runs"));
    require(run_history_add(h, RUN_HISTORY_PUBLISHED, &error) == KITH_OK);
    FILE *in = fopen(fuzz_path("key.runs"), "r");
    require(in != NULL && fgets(line, sizeof line, in) != NULL);
    fclose(in);
    require(sscanf(line, "%*s %64s %64s %64s %64s %64s", digests[0], digests[1], digests[2],
                   digests[3], digests[4]) == DIGESTS);
}

static void write_list(const run_history *h, const uint8_t *data, size_t size)
{
    char digests[DIGESTS][HEX];
    own_digests(digests, h);
    FILE *out = fopen(fuzz_path("key.runs"), "w");
    require(out != NULL);
    for (size_t i = 0; i < size; i++)
        if (data[i] == '%' && i + 1 < size && data[i + 1] >= '1' && data[i + 1] <= '5')
            fputs(digests[data[++i] - '1'], out);
        else
            fputc(data[i], out);
    require(fclose(out) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kith_study *study;
    static const unsigned char secret[CHOICE_SECRET_BYTES] = {7};
    kith_error error = {0};
    run_identity id;
    run_history_past past;
    if (size == 0 || sodium_init() < 0)
        return 0;
    if (study == NULL)
        require(kith_study_parse(&study, study_text, strlen(study_text), ".", NULL, &error) ==
                KITH_OK);
    run_identity_make(&id, study, NULL, NULL);
    id.has_data = (data[0] & 1) != 0;
    id.repeats = (data[0] & 2) != 0;
    char key[512];
    snprintf(key, sizeof key, "%s", fuzz_path("key"));
    const run_history h = {key, study, &id, secret};
    write_list(&h, data + 1, size - 1);
    const kith_status status = run_history_check(&h, &past, &error);
    require(status == KITH_OK || (status == KITH_INVALID && error.message[0] != '\0'));
    kith_findings *findings = kith_findings_new();
    require(findings != NULL && run_history_warn(findings, study, key, &error) == KITH_OK);
    require(kith_findings_n_problems(findings) == 0);
    kith_findings_free(findings);
    return 0;
}
