/* Keys and certificates in files. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>

#include "support/scratch.h"
#include "wire/identity.h"

static void create(const char *path, int first_day, int last_day)
{
    kith_error error = {0};
    time_t now = time(NULL);
    if (identity_create(path, "north", now + first_day * 86400L, now + last_day * 86400L, false,
                        &error) != KITH_OK)
        fail_msg("%s", error.message);
}

static void reads_what_it_writes(void **state)
{
    (void)state;
    struct stat info;
    identity *id = NULL, *other = NULL;
    char name[64], why[64], text[72];
    unsigned char pin[IDENTITY_PIN];
    arena *memory = arena_new();
    const char *path = scratch_path("north.key");
    create(path, -1, 5);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_equal(identity_load(&id, memory, path, NULL), KITH_OK);
    assert_int_equal(X509_check_private_key(id->certificate, id->key), 1);
    identity_name(id->certificate, name, sizeof name);
    assert_string_equal(name, "north");
    assert_null(identity_stale(id->certificate, why, sizeof why));
    identity_format_pin(text, id->pin);
    assert_true(fingerprint_parse(pin, text));
    assert_memory_equal(pin, id->pin, IDENTITY_PIN);
    create(scratch_path("other.key"), -1, 5);
    assert_int_equal(identity_load(&other, memory, scratch_path("other.key"), NULL), KITH_OK);
    assert_memory_not_equal(id->pin, other->pin, IDENTITY_PIN);
    arena_free(memory);
}

static void knows_when_it_is_valid(void **state)
{
    (void)state;
    identity *id = NULL;
    char why[64];
    arena *memory = arena_new();
    create(scratch_path("old.key"), -9, -2);
    create(scratch_path("new.key"), 2, 9);
    assert_int_equal(identity_load(&id, memory, scratch_path("old.key"), NULL), KITH_OK);
    assert_int_equal(strncmp(identity_stale(id->certificate, why, sizeof why), "expired on 20", 13),
                     0);
    assert_int_equal(identity_load(&id, memory, scratch_path("new.key"), NULL), KITH_OK);
    assert_int_equal(
        strncmp(identity_stale(id->certificate, why, sizeof why), "is valid only from 20", 21), 0);
    arena_free(memory);
}

static void refused(arena *memory, const char *name, kith_status status, const char *part)
{
    identity *id = NULL;
    kith_error error = {0};
    assert_int_equal(identity_load(&id, memory, scratch_path(name), &error), status);
    assert_non_null(strstr(error.message, part));
}

/* A certificate with the key of another. */
static void mix(const char *out, const char *key, const char *certificate)
{
    char *a = scratch_read(scratch_path(key), NULL);
    char *b = scratch_read(scratch_path(certificate), NULL);
    *strstr(a, "-----BEGIN CERT") = '\0';
    FILE *file = fopen(scratch_path(out), "wb");
    fputs(a, file);
    fputs(strstr(b, "-----BEGIN CERT"), file);
    fclose(file);
    chmod(scratch_path(out), 0600);
    free(a);
    free(b);
}

static void refuses_other_files(void **state)
{
    (void)state;
    arena *memory = arena_new();
    create(scratch_path("a.key"), -1, 5);
    create(scratch_path("b.key"), -1, 5);
    mix("mixed.key", "a.key", "b.key");
    scratch_write(scratch_path("empty.key"), "");
    chmod(scratch_path("empty.key"), 0600);
    chmod(scratch_path("b.key"), 0640);
    refused(memory, "missing.key", KITH_IO, "No such file");
    refused(memory, "mixed.key", KITH_DATA, "no secret key with its certificate");
    refused(memory, "empty.key", KITH_DATA, "no secret key with its certificate");
    refused(memory, "b.key", KITH_INVALID, "others can read it (mode 0640)");
    kith_error error = {0};
    assert_int_equal(identity_create(scratch_path("a.key"), "x", 0, 1, false, &error),
                     KITH_INVALID);
    assert_non_null(strstr(error.message, "exists already"));
    arena_free(memory);
}

static size_t files_here(void)
{
    size_t count = 0;
    char path[4096];
    snprintf(path, sizeof path, "%s", scratch_path("."));
    DIR *directory = opendir(path);
    assert_non_null(directory);
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

/* A disk that is full when the old key is to be replaced. */
static void keeps_the_old_key_until_there_is_a_new_one(void **state)
{
    (void)state;
    struct rlimit before, small = {.rlim_cur = 100, .rlim_max = RLIM_INFINITY};
    kith_error error = {0};
    identity *id = NULL, *again = NULL;
    arena *memory = arena_new();
    const char *path = scratch_path("north.key");
    create(path, -1, 5);
    assert_int_equal(identity_load(&id, memory, path, NULL), KITH_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    kith_status status = identity_create(path, "north", 0, 1, true, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, KITH_IO);
    assert_int_equal(files_here(), 1);
    assert_int_equal(identity_load(&again, memory, path, NULL), KITH_OK);
    assert_memory_equal(id->pin, again->pin, IDENTITY_PIN);
    time_t now = time(NULL);
    assert_int_equal(identity_create(path, "north", now - 60, now + 60, true, &error), KITH_OK);
    assert_int_equal(files_here(), 1);
    assert_int_equal(identity_load(&again, memory, path, NULL), KITH_OK);
    assert_memory_not_equal(id->pin, again->pin, IDENTITY_PIN);
    arena_free(memory);
}

static void parses_pins_strictly(void **state)
{
    (void)state;
    unsigned char pin[IDENTITY_PIN];
    char text[72];
    memset(pin, 0xab, sizeof pin);
    identity_format_pin(text, pin);
    assert_true(fingerprint_parse(pin, text));
    text[10] = 'g';
    assert_false(fingerprint_parse(pin, text));
    text[10] = 'A';
    assert_true(fingerprint_parse(pin, text));
    text[70] = '\0';
    assert_false(fingerprint_parse(pin, text));
    assert_false(fingerprint_parse(pin, "md5:00"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_what_it_writes, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(knows_when_it_is_valid, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(refuses_other_files, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(keeps_the_old_key_until_there_is_a_new_one, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test(parses_pins_strictly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
