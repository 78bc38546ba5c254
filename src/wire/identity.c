#include "wire/identity.h"

#include <stdio.h>
#include <string.h>

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include "core/error.h"
#include "core/system/openssl.h"
#include "core/system/output.h"
#include "core/system/private_file.h"
#include "core/text.h"

enum { FILE_BYTES = 16384 }; /* more than any key with its certificate */

bool identity_pin(const X509 *certificate, unsigned char pin[IDENTITY_PIN])
{
    unsigned length = 0;
    return X509_digest(certificate, EVP_sha256(), pin, &length) == 1 && length == IDENTITY_PIN;
}

void identity_format_pin(char text[72], const unsigned char pin[IDENTITY_PIN])
{
    snprintf(text, 72, "sha256:");
    for (int i = 0; i < IDENTITY_PIN; i++)
        snprintf(text + 7 + 2 * i, 3, "%02x", pin[i]);
}

/* In UTC, as certificates have it. */
static void format_day(char text[32], const ASN1_TIME *time)
{
    struct tm day;
    if (ASN1_TIME_to_tm(time, &day) != 1 || strftime(text, 32, "%Y-%m-%d", &day) == 0)
        snprintf(text, 32, "an unreadable date");
}

void identity_days(const X509 *certificate, char first[32], char last[32])
{
    format_day(first, X509_get0_notBefore(certificate));
    format_day(last, X509_get0_notAfter(certificate));
}

/* Below 0, 0 or above 0, as the time is before, at or after now; *known says whether it can be
 * read. X509_cmp_current_time takes memory, and does not say that there is none. */
static int compare_with_now(const ASN1_TIME *time_of, bool *known)
{
    struct tm moment;
    *known = ASN1_TIME_to_tm(time_of, &moment) == 1;
    const time_t then = *known ? timegm(&moment) : 0, now = time(NULL);
    return (then > now) - (then < now);
}

const char *identity_stale(const X509 *certificate, char *text, size_t size)
{
    char first[32], last[32];
    bool ends, begins;
    const int end = compare_with_now(X509_get0_notAfter(certificate), &ends);
    const int begin = compare_with_now(X509_get0_notBefore(certificate), &begins);
    identity_days(certificate, first, last);
    if (!ends || end <= 0)
        snprintf(text, size, "expired on %s", last);
    else if (!begins || begin > 0)
        snprintf(text, size, "is valid only from %s", first);
    else
        return NULL;
    return text;
}

void identity_name(const X509 *certificate, char *text, size_t size)
{
    char name[256] = "";
    int length = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name,
                                           sizeof name);
    /* The name comes from a peer: it may contain control characters. */
    text_quote(text, size, name, length > 0 ? strlen(name) : 0);
}

/* X.509 demands more than pins need: a random serial number, an issuer, a signature. */
static bool fill_certificate(X509 *x, EVP_PKEY *key, const char *name, time_t from, time_t until)
{
    unsigned char serial[16];
    X509_NAME *subject = X509_get_subject_name(x);
    if (RAND_bytes(serial, sizeof serial) != 1)
        return false;
    serial[0] &= 0x7f; /* as a positive number, which X.509 demands */
    BIGNUM *number = BN_bin2bn(serial, sizeof serial, NULL);
    bool good = number != NULL && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x)) != NULL;
    BN_free(number);
    return good && X509_set_version(x, X509_VERSION_3) == 1 &&
           X509_NAME_add_entry_by_NID(subject, NID_commonName, MBSTRING_UTF8,
                                      (const unsigned char *)name, -1, -1, 0) == 1 &&
           X509_set_issuer_name(x, subject) == 1 &&
           ASN1_TIME_set(X509_getm_notBefore(x), from) != NULL &&
           ASN1_TIME_set(X509_getm_notAfter(x), until) != NULL && X509_set_pubkey(x, key) == 1 &&
           X509_sign(x, key, NULL) != 0; /* Ed25519 has a digest of its own */
}

/* Makes a key with its certificate and appends both to a memory BIO. */
static bool print_identity(BIO *out, const char *name, time_t from, time_t until)
{
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    X509 *x = X509_new();
    bool good = key != NULL && x != NULL && fill_certificate(x, key, name, from, until) &&
                PEM_write_bio_PrivateKey(out, key, NULL, NULL, 0, NULL, NULL) == 1 &&
                PEM_write_bio_X509(out, x) == 1;
    X509_free(x);
    EVP_PKEY_free(key);
    return good;
}

kith_status identity_create(const char *path, const char *name, time_t not_before, time_t not_after,
                            bool overwrite, kith_error *error)
{
    char *bytes = NULL;
    kith_status status;
    TRY(openssl_begin(error));
    BIO *text = BIO_new(BIO_s_secmem()); /* is wiped when freed: it holds the key */
    if (text == NULL || !print_identity(text, name, not_before, not_after))
        status = openssl_error(error, "make a key and a certificate");
    else {
        long length = BIO_get_mem_data(text, &bytes);
        status = output_write_private(path, bytes, (size_t)length, overwrite, error);
        if (status == KITH_INVALID) /* the file exists: name the consequences of --force */
            error_hint(error, status,
                       "--force makes a new key; every study with the old one must change");
    }
    BIO_free(text);
    return status;
}

static void identity_clear(identity *id)
{
    EVP_PKEY_free(id->key);
    X509_free(id->certificate);
    *id = (identity){.key = NULL};
}

static void identity_free(void *object)
{
    identity_clear(object);
}

/* Without a callback OpenSSL would ask for a password at the terminal. */
static int no_password(char *buffer, int size, int writing, void *user)
{
    (void)buffer, (void)size, (void)writing, (void)user;
    return -1;
}

/* Key and certificate may stand in either order. */
static bool parse_identity(identity *id, const char *bytes, size_t length)
{
    for (int i = 0; i < 2; i++) {
        BIO *text = BIO_new_mem_buf(bytes, (int)length);
        if (text == NULL)
            return false;
        if (i == 0)
            id->key = PEM_read_bio_PrivateKey(text, NULL, no_password, NULL);
        else
            id->certificate = PEM_read_bio_X509(text, NULL, no_password, NULL);
        BIO_free(text);
    }
    return id->key != NULL && id->certificate != NULL &&
           X509_check_private_key(id->certificate, id->key) == 1;
}

/* A key and its certificate cannot be read: is that OpenSSL's own failure? It keeps what it could
 * not set up for lack of memory, such as its list of decoders, and then reads no key at all, not
 * even one that it has just made. */
static kith_status reads_keys(kith_error *error)
{
    identity made = {.key = NULL};
    char *bytes = NULL;
    kith_status status = KITH_OK;
    if (!openssl_memory_left())
        return error_nomem(error);
    BIO *text = BIO_new(BIO_s_secmem());
    if (text == NULL || !print_identity(text, "probe", 0, 1))
        status = openssl_error(error, "make a key and a certificate");
    else {
        const long length = BIO_get_mem_data(text, &bytes);
        if (!parse_identity(&made, bytes, (size_t)length))
            status = error_nomem(error);
    }
    identity_clear(&made);
    BIO_free(text);
    return status;
}

kith_status identity_load(identity **out, arena *memory, const char *path, kith_error *error)
{
    /* The cleanup is registered first, so that no error below leaks a key. */
    identity *id = arena_zalloc(memory, 1, sizeof *id);
    if (id == NULL || !arena_defer(memory, identity_free, id))
        return error_nomem(error);
    *out = id;
    char bytes[FILE_BYTES];
    size_t length = 0;
    TRY(openssl_begin(error));
    const kith_status status = private_file_read(bytes, sizeof bytes, &length, path, error);
    bool good = status == KITH_OK && parse_identity(id, bytes, length);
    if (status == KITH_OK && !good) { /* only what fails again is wrong: memory may be back */
        identity_clear(id);
        good = parse_identity(id, bytes, length);
    }
    explicit_bzero(bytes, sizeof bytes);
    TRY(status);
    if (!good) {
        TRY(reads_keys(error));
        error_set(error, KITH_DATA, "%s: no secret key with its certificate in PEM form", path);
        return error_hint(error, KITH_DATA, "'kith cert init' makes such a file");
    }
    return identity_pin(id->certificate, id->pin) ? KITH_OK
                                                  : openssl_error(error, "hash a certificate");
}
