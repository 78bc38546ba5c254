/* What a party is told while a joint run goes on, and what the parties of a study agree to. */
#include "unit/job/support.h"

#include <pthread.h>
#include <semaphore.h>

#include "support/loopback.h"
#include "support/scratch.h"

enum { SITES = 3, ROWS = 40 };

static const char study_head[] =
    "study: watched\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer,\n"
    "     hierarchy: {intervals: [10, 20, 40]}, domain: {range: [0, 79]}}\n"
    "  - {name: sex, role: quasi-identifying, hierarchy: suppress, domain: data}\n"
    "privacy:\n"
    "  - {model: k-anonymity, k: 5}\n"
    "partition: horizontal\n"
    "parties:\n";

static const char *const names[SITES] = {"north", "south", "east"};

typedef struct site {
    const kith_study *study;
    char key[128], data[128], directory[128];
    uint32_t self;
    pthread_t thread;
    sem_t alone; /* the first site has said that all others are absent */
    unsigned told, elsewhere, connecting;
    double rounds, learned;
    bool shrank; /* the ledger, which may only grow */
    char outcome[32];
    kith_status status;
    kith_error error;
} site;

static void on_facts(void *user, const kith_document *facts)
{
    site *s = user;
    s->told++;
    s->elsewhere += !pthread_equal(s->thread, pthread_self());
    snprintf(s->outcome, sizeof s->outcome, "%s", kith_document_text(facts, "outcome", ""));
    if (strcmp(s->outcome, "connecting") == 0) {
        s->connecting++;
        if (kith_document_n_items(facts, "absent") == SITES - 1)
            sem_post(&s->alone);
        return;
    }
    const double rounds = kith_document_number(facts, "rounds", -1);
    const double learned = (double)kith_document_n_items(facts, "learned");
    s->shrank = s->shrank || rounds < s->rounds || learned < s->learned;
    s->rounds = rounds;
    s->learned = learned;
    if (strcmp(kith_document_text(facts, "party", ""), names[s->self]) != 0 ||
        kith_document_n_items(facts, "parties") != SITES ||
        kith_document_n_items(facts, "absent") != 0 || !kith_document_has(facts, "step"))
        s->elsewhere++;
}

static void *take_part(void *object)
{
    site *s = object;
    s->thread = pthread_self();
    const kith_party_options options = KITH_OPTIONS(
        kith_party_options, .as = names[s->self], .key = s->key, .input = KITH_INPUT_URI(s->data),
        .directory = s->directory, .wait_ms = 300000, .watch = on_facts, .watch_user = s);
    s->status = kith_party_run(NULL, s->study, &options, NULL, &s->error);
    return NULL;
}

static void fill_site(site *s, uint32_t self)
{
    *s = (site){.self = self};
    snprintf(s->key, sizeof s->key, "%s/%s.key", scratch_directory, names[self]);
    snprintf(s->data, sizeof s->data, "%s/%s.csv", scratch_directory, names[self]);
    snprintf(s->directory, sizeof s->directory, "%s/%s.run", scratch_directory, names[self]);
    assert_int_equal(sem_init(&s->alone, 0, 0), 0);
    FILE *file = fopen(s->data, "w");
    assert_non_null(file);
    fputs("age,sex\n", file);
    for (unsigned i = 0; i < ROWS; i++)
        fprintf(file, "%u,%c\n", (i * 7 + self * 3) % 80, i % 2 == 0 ? 'f' : 'm');
    fclose(file);
}

/* A key for every site, whose lines make the study. */
static kith_study *make_study(const site sites[SITES], char text[4096])
{
    kith_error error = {0};
    snprintf(text, 4096, "%s", study_head);
    for (uint32_t i = 0; i < SITES; i++) {
        char address[32];
        char *line = NULL;
        const kith_identity_options options =
            KITH_OPTIONS(kith_identity_options, .name = names[i], .n_days = 10);
        snprintf(address, sizeof address, "127.0.0.1:%u", loopback_port());
        if (kith_identity_create(sites[i].key, &options, &error) != KITH_OK ||
            kith_identity_party(&line, sites[i].key, address, &error) != KITH_OK)
            fail_msg("%s", error.message);
        strcat(strcat(text, "  "), strstr(line, "- {"));
        kith_free(line);
    }
    return study_of(text);
}

static void test_run_is_told(void **state)
{
    (void)state;
    site sites[SITES];
    char text[4096];
    for (uint32_t i = 0; i < SITES; i++)
        fill_site(&sites[i], i);
    kith_study *study = make_study(sites, text);
    pthread_t threads[SITES];
    for (uint32_t i = 0; i < SITES; i++) {
        sites[i].study = study;
        assert_int_equal(pthread_create(&threads[i], NULL, take_part, &sites[i]), 0);
        if (i == 0)
            sem_wait(&sites[0].alone);
    }
    for (uint32_t i = 0; i < SITES; i++)
        pthread_join(threads[i], NULL);
    for (uint32_t i = 0; i < SITES; i++) {
        if (sites[i].status != KITH_OK)
            fail_msg("%s: %s", names[i], sites[i].error.message);
        assert_string_equal(sites[i].outcome, "complete");
        assert_int_equal(sites[i].elsewhere, 0);
        assert_false(sites[i].shrank);
        assert_true(sites[i].rounds > 0 && sites[i].learned > 0);
        sem_destroy(&sites[i].alone);
    }
    assert_true(sites[0].connecting > 0);
    kith_study_free(study);
}

static void test_agreement(void **state)
{
    (void)state;
    site sites[SITES];
    char text[4096], digest[65], path[32];
    kith_document *d = NULL, *key = NULL;
    kith_error error = {0};
    for (uint32_t i = 0; i < SITES; i++)
        fill_site(&sites[i], i);
    kith_study *study = make_study(sites, text);
    assert_int_equal(kith_joint_describe(&d, study, &error), KITH_OK);
    kith_study_digest(digest, study);
    assert_string_equal(kith_document_text(d, "digest", ""), digest);
    assert_true(kith_document_n_items(d, "discloses") > 0);
    assert_int_equal(kith_document_n_items(d, "parties"), SITES);
    for (uint32_t i = 0; i < SITES; i++) {
        assert_int_equal(kith_identity_describe(&key, sites[i].key, &error), KITH_OK);
        snprintf(path, sizeof path, "parties.%u.words", i);
        assert_string_equal(kith_document_text(d, path, ""), kith_document_text(key, "words", "-"));
        kith_document_free(key);
    }
    kith_document_free(d);
    kith_study_free(study);
}

/* An address goes into YAML as it is. */
static void test_address(void **state)
{
    (void)state;
    site first;
    char *line = NULL;
    kith_error error = {0};
    const kith_identity_options options =
        KITH_OPTIONS(kith_identity_options, .name = names[0], .n_days = 10);
    fill_site(&first, 0);
    assert_int_equal(kith_identity_create(first.key, &options, &error), KITH_OK);
    assert_int_equal(kith_identity_party(&line, first.key, "a:1\", key: \"x", &error),
                     KITH_INVALID);
    assert_int_equal(kith_identity_party(&line, first.key, NULL, &error), KITH_OK);
    assert_non_null(strstr(line, "address: \"HOST:PORT\""));
    assert_null(strstr(line, "PRIVATE"));
    kith_free(line);
}

/* The parties of a file are those that YAML has, not what a comment says. */
static void test_parties(void **state)
{
    (void)state;
    static const char digits[] = "00000000000000000000000000000000000000000000000000000000000000";
    char text[1024];
    const char *path = scratch_path("two.party");
    kith_document *d = NULL;
    kith_error error = {0};
    snprintf(text, sizeof text,
             "# - {name: \"a\", address: \"a:1\", key: \"sha256:%saa\"}\n"
             "- {name: a, address: 'a:1', key: 'sha256:%sbb'}\n"
             "- {name: b, address: 'b:1', key: 'sha256:%scc'}\n",
             digits, digits, digits);
    assert_int_equal(kith_file_write(path, text, &error), KITH_OK);
    assert_int_equal(kith_parties_describe(&d, path, &error), KITH_OK);
    assert_int_equal(kith_document_n_items(d, "parties"), 2);
    assert_string_equal(kith_document_text(d, "parties.0.name", ""), "a");
    assert_string_equal(kith_document_text(d, "parties.1.address", ""), "b:1");
    const char *key = kith_document_text(d, "parties.0.key", "");
    assert_string_equal(key + strlen(key) - 2, "bb");
    const char *grouped = kith_document_text(d, "parties.1.grouped", "");
    assert_string_equal(grouped + strlen(grouped) - 4, "00cc");
    kith_document_free(d);
    assert_int_equal(kith_file_write(path, "- {name: a, address: 'a:1', key: x}\n", &error),
                     KITH_OK);
    assert_int_equal(kith_parties_describe(&d, path, &error), KITH_INVALID);
    assert_non_null(strstr(error.message, "key: expected sha256:"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_run_is_told, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_agreement, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_address, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(test_parties, scratch_setup, scratch_teardown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
