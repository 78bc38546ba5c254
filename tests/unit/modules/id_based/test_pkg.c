/* Key generators through the public interface, and the keys of a party as a run loads them. */
#include "unit/job/support.h"

#include <sys/stat.h>

#include "crypto/pairing/ibe.h"
#include "modules/id_based/id_keys_parse.h"
#include "support/pairing_plain.h"
#include "support/scratch.h"

static const char study_text[] =
    "study: s\n"
    "columns: [{name: a, role: quasi-identifying}, {name: b, role: sensitive}]\n"
    "privacy: [{model: k-anonymity, k: 2}]\n"
    "protocol: id-based\n"
    "%s"
    "parties:\n"
    "  - {name: north, address: 'h:7001', key: 'sha256:%064x'}\n"
    "  - {name: south, address: 'h:7002', key: 'sha256:%064x'}\n";

/* Of the generator "one"; `period` is a line or "". */
static kith_study *study_with(const char *period)
{
    char lines[256], text[2048];
    snprintf(lines, sizeof lines, "pkg: %s/one/parameters.pkg\n%s", scratch_directory, period);
    snprintf(text, sizeof text, study_text, lines, 1, 2);
    return study_of(text);
}

static void init(const char *generator)
{
    kith_error error = {0};
    if (kith_pkg_init(scratch_path(generator), NULL, &error) != KITH_OK)
        fail_msg("%s", error.message);
}

static void issue(const char *file, const char *generator, const char *name, const char *period,
                  const char *other)
{
    char path[512];
    const char *const others[] = {path};
    kith_error error = {0};
    snprintf(path, sizeof path, "%s/%s/parameters.pkg", scratch_directory, other);
    const kith_pkg_issue_options options =
        KITH_OPTIONS(kith_pkg_issue_options, .name = name, .period = period, .others = others,
                     .n_others = other == NULL ? 0 : 1);
    if (kith_pkg_issue(scratch_path(file), scratch_path(generator), &options, &error) != KITH_OK)
        fail_msg("%s", error.message);
}

static int set_up(void **state)
{
    if (scratch_setup(state) != 0)
        return -1;
    init("one");
    init("two");
    issue("north", "one", "north", "now", NULL);
    issue("south", "one", "south", "now", NULL);
    issue("later", "one", "north", "later", NULL);
    issue("stranger", "two", "north", "now", NULL);
    issue("part1", "one", "north", "now", "two");
    issue("part2", "two", "north", "now", "one");
    return 0;
}

/* The keys of both parties, loaded for a study, encrypt and decrypt between them. */
static void loaded_keys_decrypt(void **state)
{
    (void)state;
    kith_study *study = study_with("period: now\n");
    static const char *const files[] = {"north", "south"};
    arena *memory = arena_new();
    for (uint32_t self = 0; self < 2; self++) {
        const id_keys *mine, *theirs;
        ibe_recipient *to;
        ibe_reader *reader, *other;
        ibe_ciphertext c;
        scalar_q zero;
        assert_int_equal(id_keys_load(&mine, memory, study, self, scratch_path(files[self]), NULL),
                         KITH_OK);
        assert_int_equal(
            id_keys_load(&theirs, memory, study, 1 - self, scratch_path(files[1 - self]), NULL),
            KITH_OK);
        assert_int_equal(
            ibe_recipient_new(&to, memory, &theirs->parameters, &theirs->identities[self], NULL),
            KITH_OK);
        assert_int_equal(ibe_reader_new(&reader, memory, &mine->key, NULL), KITH_OK);
        assert_int_equal(ibe_reader_new(&other, memory, &theirs->key, NULL), KITH_OK);
        pairing_scalar_of_number(&zero, 0);
        ibe_encrypt(&c, to, &zero);
        assert_true(ibe_decrypts_to_one(reader, &c));
        assert_false(ibe_decrypts_to_one(other, &c));
    }
    arena_free(memory);
    kith_study_free(study);
}

static void refuses(const kith_study *study, const char *file, const char *message)
{
    const id_keys *keys;
    kith_error error = {0};
    arena *memory = arena_new();
    kith_status status =
        id_keys_load(&keys, memory, study, 0, file == NULL ? NULL : scratch_path(file), &error);
    assert_true(status == KITH_INVALID || status == KITH_DATA);
    assert_null(keys);
    if (strstr(error.message, message) == NULL)
        fail_msg("'%s' instead of '%s'", error.message, message);
    arena_free(memory);
}

static void wrong_keys_are_named(void **state)
{
    (void)state;
    kith_study *study = study_with("period: now\n");
    char text[2048];
    snprintf(text, sizeof text, study_text, "pkg: self\n", 1, 2);
    kith_study *self = study_of(text);
    kith_study *timeless = study_with("");
    refuses(study, NULL, "the private key of north is not given");
    refuses(study, "south", "is the private key of 'south', but this party is 'north'");
    refuses(study, "later", "is a key of period later, but the study has period now");
    refuses(study, "stranger", "is a key of the generator blake2b:");
    refuses(study, "part1", "is a partial key");
    refuses(study, "one/master.key", "this is the secret of a key generator");
    refuses(timeless, "north", "is a key of period now, but the study has no period");
    refuses(self, "north", "the study has no key generator");
    const id_keys *keys = (const id_keys *)study;
    assert_int_equal(id_keys_load(&keys, NULL, self, 0, NULL, NULL), KITH_OK);
    assert_null(keys);
    assert_int_equal(chmod(scratch_path("north"), 0640), 0);
    refuses(study, "north", "holds a secret, but others can read it (mode 0640)");
    assert_int_equal(chmod(scratch_path("north"), 0600), 0);
    kith_study_free(study);
    kith_study_free(self);
    kith_study_free(timeless);
}

/* A study whose file of parameters is no such file is wrong. */
static void studies_check_their_parameters(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        {"nowhere", "cannot open"},
        {"north", "this is a private key, expected a file of public parameters"},
        {"damaged", "its digest does not match"}};
    size_t length = 0;
    char *text = scratch_read(scratch_path("one/parameters.pkg"), &length);
    text[length - 3] = text[length - 3] == 'A' ? 'B' : 'A';
    scratch_write(scratch_path("damaged"), text);
    free(text);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char lines[256], whole[2048];
        kith_study *study = NULL;
        kith_error error = {0};
        snprintf(lines, sizeof lines, "pkg: %s/%s\n", scratch_directory, files[i][0]);
        snprintf(whole, sizeof whole, study_text, lines, 1, 2);
        assert_int_not_equal(kith_study_parse(&study, whole, strlen(whole), ".", NULL, &error),
                             KITH_OK);
        if (strstr(error.message, files[i][1]) == NULL)
            fail_msg("'%s' instead of '%s'", error.message, files[i][1]);
        kith_study_free(study);
    }
}

static void joins_and_describes(void **state)
{
    (void)state;
    const char *parameters[] = {strdup(scratch_path("two/parameters.pkg")),
                                strdup(scratch_path("one/parameters.pkg"))};
    const char *parts[] = {strdup(scratch_path("part1")), strdup(scratch_path("part2"))};
    char *joint = strdup(scratch_path("joint.pkg"));
    kith_document *d = NULL;
    kith_pkg_join_options with = KITH_OPTIONS(kith_pkg_join_options, .name = "both");
    assert_int_equal(kith_pkg_join(joint, parameters, 2, &with, NULL), KITH_OK);
    assert_int_equal(kith_pkg_join(joint, parameters, 2, &with, NULL), KITH_INVALID); /* exists */
    assert_int_equal(kith_pkg_join(scratch_path("x"), parameters, 1, NULL, NULL), KITH_INVALID);
    assert_int_equal(kith_pkg_join(scratch_path("x"), parameters, 17, NULL, NULL), KITH_INVALID);
    with = (kith_pkg_join_options)KITH_OPTIONS(kith_pkg_join_options, .parameters = joint);
    assert_int_equal(kith_pkg_join(scratch_path("whole"), parts, 2, &with, NULL), KITH_OK);
    const kith_pkg_describe_options fit =
        KITH_OPTIONS(kith_pkg_describe_options, .parameters = joint);
    assert_int_equal(kith_pkg_describe(&d, scratch_path("whole"), &fit, NULL), KITH_OK);
    assert_string_equal(kith_document_text(d, "kind", ""), "key");
    assert_string_equal(kith_document_text(d, "name", ""), "north");
    assert_string_equal(kith_document_text(d, "period", ""), "now");
    assert_true(kith_document_flag(d, "fits", false));
    kith_document_free(d);
    assert_int_equal(kith_pkg_describe(&d, joint, NULL, NULL), KITH_OK);
    assert_int_equal(kith_document_n_items(d, "parts"), 2);
    assert_string_equal(kith_document_text(d, "name", ""), "both");
    kith_document_free(d);
    for (int i = 0; i < 2; i++) {
        free((char *)(uintptr_t)parameters[i]);
        free((char *)(uintptr_t)parts[i]);
    }
    free(joint);
}

/* Structs of another size, and names that fit into no file. */
static void refuses_wrong_options(void **state)
{
    (void)state;
    kith_pkg_issue_options options = {.size = 0, .name = "north"};
    assert_int_equal(kith_pkg_issue(scratch_path("x"), scratch_path("one"), &options, NULL),
                     KITH_INVALID);
    options = (kith_pkg_issue_options)KITH_INIT(kith_pkg_issue_options);
    assert_int_equal(kith_pkg_issue(scratch_path("x"), scratch_path("one"), &options, NULL),
                     KITH_INVALID);
    options.name = "two\nlines";
    assert_int_equal(kith_pkg_issue(scratch_path("x"), scratch_path("one"), &options, NULL),
                     KITH_INVALID);
    options.name = "north";
    options.n_others = 16;
    assert_int_equal(kith_pkg_issue(scratch_path("x"), scratch_path("one"), &options, NULL),
                     KITH_INVALID);
    assert_int_equal(access(scratch_path("x"), F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loaded_keys_decrypt),
        cmocka_unit_test(wrong_keys_are_named),
        cmocka_unit_test(studies_check_their_parameters),
        cmocka_unit_test(joins_and_describes),
        cmocka_unit_test(refuses_wrong_options),
    };
    return cmocka_run_group_tests(tests, set_up, scratch_teardown);
}
