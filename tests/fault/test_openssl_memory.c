/* A lack of memory in OpenSSL is told apart from a damaged file, in both directions. */
/* wrap: PEM_read_bio_X509 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/wait.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>

#include "support/scratch.h"
#include "support/session.h"
#include "wire/identity.h"

static size_t seen, fail_at;

static bool fails(void)
{
    return ++seen == fail_at;
}

static void *failing_malloc(size_t bytes, const char *file, int line)
{
    (void)file, (void)line;
    return bytes == 0 || fails() ? NULL : malloc(bytes);
}

static void *failing_realloc(void *block, size_t bytes, const char *file, int line)
{
    (void)file, (void)line;
    if (bytes > 0)
        return fails() ? NULL : realloc(block, bytes);
    free(block);
    return NULL;
}

static void plain_free(void *block, const char *file, int line)
{
    (void)file, (void)line;
    free(block);
}

static kith_status make_and_read(kith_error *error)
{
    identity *id = NULL;
    arena *memory = arena_new();
    const char *path = scratch_path("north.key");
    const time_t now = time(NULL);
    kith_status status = identity_create(path, "north", now - 3600, now + 360000, true, error);
    if (status == KITH_OK)
        status = identity_load(&id, memory, path, error);
    arena_free(memory);
    return status;
}

typedef struct outcome {
    kith_status status;
    size_t seen;
    kith_error error;
} outcome;

/* In another process, which OpenSSL has not been used in: allocation n fails; 0: none. */
static outcome attempt(size_t n)
{
    int ends[2], status = -1;
    outcome o = {.status = KITH_BUG};
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        fail_at = n;
        o.status = make_and_read(&o.error);
        o.seen = seen;
        _exit(write(ends[1], &o, sizeof o) == (ssize_t)sizeof o ? 0 : 1);
    }
    close(ends[1]);
    const ssize_t got = read(ends[0], &o, sizeof o);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (status != 0 || got != (ssize_t)sizeof o)
        fail_msg("allocation %zu: wait status %d", n, status);
    return o;
}

/* OpenSSL keeps what it could not set up, so every place at which it lacks memory once has a
 * process of its own. */
static void a_complete_key_is_never_called_damaged(void **state)
{
    (void)state;
    size_t refused = 0, tried = 0;
    const outcome whole = attempt(0);
    assert_int_equal(whole.status, KITH_OK);
    const size_t stride = session_samples(0) > 0 ? 1 : 12;
    for (size_t n = 1; n <= whole.seen; n += stride, tried++) {
        const outcome o = attempt(n);
        if (o.status != KITH_OK && o.status != KITH_NOMEM && o.status != KITH_IO)
            fail_msg("allocation %zu: %s", n, o.error.message);
        refused += o.status != KITH_OK;
    }
    print_message("%zu allocations, %zu of %zu failures mattered\n", whole.seen, refused, tried);
    assert_true(refused > 0);
}

static void a_valid_certificate_is_never_called_expired(void **state)
{
    (void)state;
    identity *id = NULL;
    char why[64];
    arena *memory = arena_new();
    const char *path = scratch_path("north.key");
    const time_t now = time(NULL);
    fail_at = 0;
    assert_int_equal(identity_create(path, "north", now - 3600, now + 360000, true, NULL), KITH_OK);
    assert_int_equal(identity_load(&id, memory, path, NULL), KITH_OK);
    for (size_t n = 1; n < 20; n++) {
        fail_at = seen + n;
        assert_null(identity_stale(id->certificate, why, sizeof why));
    }
    fail_at = 0;
    arena_free(memory);
}

X509 *__real_PEM_read_bio_X509(BIO *in, X509 **out, pem_password_cb *password, void *user);
X509 *__wrap_PEM_read_bio_X509(BIO *in, X509 **out, pem_password_cb *password, void *user);

/* OpenSSL says of some damaged certificates that memory is lacking; here of all. */
X509 *__wrap_PEM_read_bio_X509(BIO *in, X509 **out, pem_password_cb *password, void *user)
{
    X509 *read = __real_PEM_read_bio_X509(in, out, password, user);
    if (read == NULL)
        ERR_raise(ERR_LIB_ASN1, ERR_R_MALLOC_FAILURE);
    return read;
}

static void a_damaged_key_is_no_lack_of_memory(void **state)
{
    (void)state;
    identity *id = NULL;
    kith_error error = {0};
    arena *memory = arena_new();
    const char *path = scratch_path("north.key");
    fail_at = 0;
    assert_int_equal(identity_create(path, "north", 0, 1, true, &error), KITH_OK);
    char *text = scratch_read(path, NULL);
    strstr(text, "-----BEGIN CERT")[40] ^= 1;
    scratch_write(path, text);
    free(text);
    assert_int_equal(identity_load(&id, memory, path, &error), KITH_DATA);
    assert_non_null(strstr(error.message, "no secret key with its certificate"));
    arena_free(memory);
}

int main(void)
{
    /* In this order: the first one must find OpenSSL unused. */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_complete_key_is_never_called_damaged, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(a_valid_certificate_is_never_called_expired, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(a_damaged_key_is_no_lack_of_memory, scratch_setup,
                                        scratch_teardown),
    };
    if (CRYPTO_set_mem_functions(failing_malloc, failing_realloc, plain_free) != 1)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
