/* Any lines as values of `kith try --set`: refused with a message, or rows whose studies are the
 * given one with other values, or refused for them. */
#include "support/fuzz_input.h"

#include "job/try/try_plan.h"

enum { SETS = 8, ROWS = 12, MAX_LENGTH = 1024 };

static const char study_text[] =
    "study: made # this stays\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [10, 20]}}\n"
    "  - name: sex\n"
    "    role: quasi-identifying\n"
    "  - {name: 'a, b', role: sensitive} # and this\n"
    "privacy:\n"
    "  - {model: k-anonymity, k: 2}\n"
    "  - {model: l-diversity, variant: distinct, l: 2, attribute: 'a, b'}\n"
    "utility: {suppression: 0.1}\n";

static void check_row(const try_plan *plan, size_t row, arena *memory)
{
    kith_study *study = NULL;
    const char *text = NULL;
    kith_error error = {0};
    kith_status status = try_plan_text(&text, plan, row, memory, &error);
    require(status == KITH_OK || status == KITH_INVALID);
    require(status != KITH_OK || strstr(text, "# this stays") != NULL);
    require(status != KITH_OK || strstr(text, "# and this") != NULL);
    status = try_plan_study(&study, plan, row, &error);
    require(status == KITH_OK || (status == KITH_INVALID && error.message[0] != '\0'));
    kith_study_free(study);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kith_study *study;
    char *sets[SETS];
    size_t n_sets = 0;
    try_plan plan;
    kith_error error = {0};
    arena *memory = arena_new();
    require(memory != NULL);
    if (study == NULL)
        require(kith_study_parse(&study, study_text, strlen(study_text), ".", NULL, &error) ==
                KITH_OK);
    if (size > MAX_LENGTH)
        size = MAX_LENGTH;
    while (size > 0 && n_sets < SETS)
        sets[n_sets++] = fuzz_line(&data, &size);
    const kith_status status = try_plan_make(&plan, memory, (const kith_study *const[]){study}, 1,
                                             (const char *const *)sets, n_sets, &error);
    require(status == KITH_OK || (status == KITH_INVALID && error.message[0] != '\0'));
    for (size_t row = 0; status == KITH_OK && row < plan.n_rows && row < ROWS; row++)
        check_row(&plan, row, memory);
    while (n_sets > 0)
        free(sets[--n_sets]);
    arena_free(memory);
    return 0;
}
