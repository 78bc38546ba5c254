#include "crypto/pairing/ibe_text.h"

#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "core/error.h"
#include "core/text.h"
#include "crypto/secret_memory.h"

enum { LINE_BYTES = 48, LINE_TEXT = 64, DIGITS = 2 * DIGEST_BYTES };
static const char prefix[] = "blake2b:";

/* All lines are full, so that there is no padding. */
_Static_assert(IBE_PARAMETERS_BYTES % LINE_BYTES == 0 && IBE_MASTER_BYTES % LINE_BYTES == 0 &&
                   IBE_KEY_BYTES % LINE_BYTES == 0,
               "lines are full");
_Static_assert(IBE_PARAMETERS_BYTES / LINE_BYTES * (LINE_TEXT + 1) + 4096 < IBE_TEXT_BYTES,
               "parameters fit");

/* First lines and names, by kind. */
static const struct {
    const char *line, *name;
} kinds[] = {
    [IBE_TEXT_UNKNOWN] = {"", "a file of another kind"},
    [IBE_TEXT_PARAMETERS] = {"kith key generator parameters 1", "a file of public parameters"},
    [IBE_TEXT_MASTER] = {"kith key generator secret 1", "the secret of a key generator"},
    [IBE_TEXT_KEY] = {"kith private identity key 1", "a private key"},
    [IBE_TEXT_PARTIAL] = {"kith partial identity key 1", "a partial private key"}};

const char *ibe_text_kind_name(ibe_text_kind kind)
{
    return kinds[kind].name;
}

ibe_text_kind ibe_text_kind_of(const char *text, size_t length)
{
    const char *end = memchr(text, '\n', length);
    size_t wide = end == NULL ? length : (size_t)(end - text);
    wide -= wide > 0 && text[wide - 1] == '\r'; /* such a line is refused, but by what it is */
    for (ibe_text_kind kind = IBE_TEXT_PARAMETERS; kind <= IBE_TEXT_PARTIAL; kind++)
        if (strlen(kinds[kind].line) == wide && memcmp(kinds[kind].line, text, wide) == 0)
            return kind;
    return IBE_TEXT_UNKNOWN;
}

static bool is_name(const char *text, size_t length)
{
    if (length == 0 || length >= IBE_TEXT_NAME || text_utf8_error(text, length) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        const unsigned char byte = (unsigned char)text[i];
        const bool c1 =
            byte == 0xc2 && (unsigned char)text[i + 1] >= 0x80 && (unsigned char)text[i + 1] < 0xa0;
        if (byte < 0x20 || byte == 0x7f || c1)
            return false;
    }
    return true;
}

bool ibe_text_is_name(const char *text)
{
    return is_name(text, strlen(text));
}

/* --- digests --- */

static void digest_of_bytes(ibe_digest *out, const unsigned char bytes[IBE_PARAMETERS_BYTES])
{
    digest d;
    digest_init(&d, "kith pkg parameters", sizeof out->bytes);
    digest_part(&d, bytes, IBE_PARAMETERS_BYTES);
    digest_final(&d, out->bytes);
}

void ibe_text_digest(ibe_digest *out, const ibe_parameters *p)
{
    unsigned char bytes[IBE_PARAMETERS_BYTES];
    ibe_parameters_format(bytes, p);
    digest_of_bytes(out, bytes);
}

void ibe_text_digest_format(char text[IBE_TEXT_DIGEST], const ibe_digest *d)
{
    memcpy(text, prefix, sizeof prefix - 1);
    sodium_bin2hex(text + sizeof prefix - 1, DIGITS + 1, d->bytes, sizeof d->bytes);
}

bool ibe_text_digest_equal(const ibe_digest *a, const ibe_digest *b)
{
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* Small letters only: a text has one form. */
static bool digest_parse(ibe_digest *out, const char *text, size_t length)
{
    const size_t before = sizeof prefix - 1;
    if (length != before + DIGITS || memcmp(text, prefix, before) != 0)
        return false;
    for (size_t i = before; i < length; i++)
        if (!(text[i] >= '0' && text[i] <= '9') && !(text[i] >= 'a' && text[i] <= 'f'))
            return false;
    return sodium_hex2bin(out->bytes, sizeof out->bytes, text + before, DIGITS, NULL, NULL, NULL) ==
           0;
}

/* --- parsing --- */

typedef struct reader {
    const char *file;
    const char *at, *end; /* what is left */
    const char *line;     /* the present line, without its end */
    size_t length, number;
    kith_error *error;
} reader;

static kith_status ibe_text_refuse(const reader *r, const char *expected)
{
    return error_at(r->error, KITH_DATA, r->file, r->number, 0, "expected %s", expected);
}

/* The next line; at the end of the text one of length 0. */
static kith_status next_line(reader *r)
{
    r->number++;
    r->line = r->at;
    const char *end = r->at == r->end ? r->end : memchr(r->at, '\n', (size_t)(r->end - r->at));
    if (end == NULL)
        return error_at(r->error, KITH_DATA, r->file, r->number, 0, "the file is cut off here");
    r->length = (size_t)(end - r->at);
    r->at = end == r->end ? end : end + 1;
    if (r->length > 0 && end[-1] == '\r')
        return ibe_text_refuse(r, "a line that ends in a newline alone, found a carriage return");
    return KITH_OK;
}

/* Whether the present line begins with "key: "; then `value` is what follows. */
static bool has_key(const reader *r, const char *key, const char **value, size_t *length)
{
    const size_t wide = strlen(key);
    if (r->length < wide + 2 || memcmp(r->line, key, wide) != 0 ||
        memcmp(r->line + wide, ": ", 2) != 0)
        return false;
    *value = r->line + wide + 2;
    *length = r->length - wide - 2;
    return true;
}

/* Reads "key: NAME" into `out`, and goes on to the next line. */
static kith_status read_name(reader *r, const char *key, bool needed, char out[IBE_TEXT_NAME])
{
    const char *value;
    size_t length;
    if (!has_key(r, key, &value, &length)) {
        char expected[64];
        snprintf(expected, sizeof expected, "'%s: …'", key);
        return needed ? ibe_text_refuse(r, expected) : KITH_OK;
    }
    if (!is_name(value, length))
        return ibe_text_refuse(r, "1 to 63 bytes of UTF-8 without control characters");
    memcpy(out, value, length);
    out[length] = '\0';
    return next_line(r);
}

static kith_status read_digest(reader *r, const char *key, ibe_digest *out)
{
    const char *value;
    size_t length;
    char expected[96];
    snprintf(expected, sizeof expected, "'%s: blake2b:' and %d hexadecimal digits", key, DIGITS);
    if (!has_key(r, key, &value, &length) || !digest_parse(out, value, length))
        return ibe_text_refuse(r, expected);
    return next_line(r);
}

static kith_status read_parts(reader *r, ibe_heading *h)
{
    const char *value;
    size_t length;
    while (has_key(r, "part", &value, &length)) {
        if (h->n_parts == IBE_TEXT_PARTS)
            return ibe_text_refuse(r, "at most 16 parts");
        TRY(read_digest(r, "part", &h->parts[h->n_parts]));
        h->n_parts++;
    }
    return h->n_parts == 1 ? ibe_text_refuse(r, "another 'part: …'") : KITH_OK;
}

/* The lines of the kind that the first one says, up to the empty line. */
static kith_status read_heading(reader *r, ibe_heading *h)
{
    TRY(next_line(r));
    switch (h->kind) {
    case IBE_TEXT_PARAMETERS:
        TRY(read_name(r, "name", false, h->name));
        TRY(read_digest(r, "digest", &h->parameters));
        TRY(read_parts(r, h));
        break;
    case IBE_TEXT_MASTER: TRY(read_digest(r, "parameters", &h->parameters)); break;
    default:
        TRY(read_name(r, "name", true, h->name));
        TRY(read_name(r, "period", false, h->period));
        TRY(read_digest(r, "parameters", &h->parameters));
        if (h->kind == IBE_TEXT_PARTIAL) {
            h->n_parts = 1;
            TRY(read_digest(r, "generator", &h->parts[0]));
        }
    }
    return r->length == 0 && r->line != r->end ? KITH_OK : ibe_text_refuse(r, "an empty line");
}

/* libsodium takes some bytes beyond ASCII for others. */
static bool is_ascii(const char *text, size_t length)
{
    unsigned char all = 0;
    for (size_t i = 0; i < length; i++)
        all |= (unsigned char)text[i];
    return all < 0x80;
}

static kith_status read_bytes(reader *r, unsigned char *bytes, size_t length)
{
    char expected[64];
    for (size_t i = 0; i < length; i += LINE_BYTES) {
        size_t made = 0;
        TRY(next_line(r));
        if (r->length != LINE_TEXT || !is_ascii(r->line, LINE_TEXT) ||
            sodium_base642bin(bytes + i, LINE_BYTES, r->line, LINE_TEXT, NULL, &made, NULL,
                              sodium_base64_VARIANT_ORIGINAL) != 0 ||
            made != LINE_BYTES) {
            snprintf(expected, sizeof expected, "%d characters of base64", LINE_TEXT);
            return ibe_text_refuse(r, expected);
        }
    }
    r->number++;
    return r->at == r->end ? KITH_OK : ibe_text_refuse(r, "the end of the file");
}

/* Heading and bytes of a text whose kind must be one of two. */
static kith_status ibe_text_parse(unsigned char *bytes, size_t n_bytes, ibe_heading *h, reader *r,
                                  ibe_text_kind expected, ibe_text_kind other)
{
    const size_t length = (size_t)(r->end - r->at);
    *h = (ibe_heading){.kind = ibe_text_kind_of(r->at, length)};
    if (h->kind != expected && h->kind != other) {
        /* Says what the file is instead. */
        char quoted[80];
        if (h->kind != IBE_TEXT_UNKNOWN)
            return error_at(r->error, KITH_DATA, r->file, 1, 0, "this is %s, expected %s",
                            kinds[h->kind].name, kinds[expected].name);
        const char *end = memchr(r->at, '\n', (size_t)(r->end - r->at));
        text_quote(quoted, sizeof quoted, r->at, (size_t)((end == NULL ? r->end : end) - r->at));
        return error_at(r->error, KITH_DATA, r->file, 1, 0, "expected %s ('%s'), found '%s'",
                        kinds[expected].name, kinds[expected].line, quoted);
    }
    TRY(next_line(r));
    TRY(read_heading(r, h));
    return read_bytes(r, bytes, n_bytes);
}

static kith_status no_element(const reader *r)
{
    return error_set(r->error, KITH_DATA, "%s is damaged: its bytes are no elements of the groups",
                     r->file);
}

kith_status ibe_text_parse_parameters(ibe_parameters *out, ibe_heading *heading, const char *text,
                                      size_t length, const char *file, kith_error *error)
{
    unsigned char bytes[IBE_PARAMETERS_BYTES];
    reader r = {.file = file, .at = text, .end = text + length, .error = error};
    ibe_digest made;
    TRY(ibe_text_parse(bytes, sizeof bytes, heading, &r, IBE_TEXT_PARAMETERS, IBE_TEXT_PARAMETERS));
    digest_of_bytes(&made, bytes);
    if (!ibe_text_digest_equal(&made, &heading->parameters))
        return error_set(error, KITH_DATA, "%s is damaged: its digest does not match", file);
    return ibe_parameters_parse(out, bytes) ? KITH_OK : no_element(&r);
}

kith_status ibe_text_parse_master(ibe_master *out, ibe_heading *heading, const char *text,
                                  size_t length, const char *file, kith_error *error)
{
    unsigned char bytes[IBE_MASTER_BYTES];
    reader r = {.file = file, .at = text, .end = text + length, .error = error};
    kith_status status =
        ibe_text_parse(bytes, sizeof bytes, heading, &r, IBE_TEXT_MASTER, IBE_TEXT_MASTER);
    if (status == KITH_OK && !ibe_master_parse(out, bytes))
        status = no_element(&r);
    secret_memory_wipe(bytes, sizeof bytes);
    return status;
}

kith_status ibe_text_parse_key(ibe_key *out, ibe_heading *heading, const char *text, size_t length,
                               const char *file, kith_error *error)
{
    unsigned char bytes[IBE_KEY_BYTES];
    reader r = {.file = file, .at = text, .end = text + length, .error = error};
    kith_status status =
        ibe_text_parse(bytes, sizeof bytes, heading, &r, IBE_TEXT_KEY, IBE_TEXT_PARTIAL);
    if (status == KITH_OK && !ibe_key_parse(out, bytes))
        status = no_element(&r);
    secret_memory_wipe(bytes, sizeof bytes);
    return status;
}

/* --- writing --- */

/* A text that grows in memory of a known size. */
typedef struct writer {
    char *text;
    size_t used;
} writer;

static void put_line(writer *w, const char *key, const char *value)
{
    const int wide = snprintf(w->text + w->used, IBE_TEXT_BYTES - w->used, "%s%s%s\n", key,
                              key[0] == '\0' ? "" : ": ", value);
    ASSERT(wide > 0 && w->used + (size_t)wide < IBE_TEXT_BYTES);
    w->used += (size_t)wide;
}

static void put_digest(writer *w, const char *key, const ibe_digest *d)
{
    char text[IBE_TEXT_DIGEST];
    ibe_text_digest_format(text, d);
    put_line(w, key, text);
}

static char *format(arena *memory, const ibe_heading *heading, const unsigned char *bytes,
                    size_t length)
{
    writer w = {.text = secret_memory_array(memory, IBE_TEXT_BYTES, 1)};
    if (w.text == NULL)
        return NULL;
    put_line(&w, "", kinds[heading->kind].line);
    if (heading->name[0] != '\0')
        put_line(&w, "name", heading->name);
    if (heading->period[0] != '\0')
        put_line(&w, "period", heading->period);
    put_digest(&w, heading->kind == IBE_TEXT_PARAMETERS ? "digest" : "parameters",
               &heading->parameters);
    for (uint32_t i = 0; i < heading->n_parts; i++)
        put_digest(&w, heading->kind == IBE_TEXT_PARAMETERS ? "part" : "generator",
                   &heading->parts[i]);
    put_line(&w, "", "");
    /* base64 in constant time, as keys need it. */
    ASSERT(length % LINE_BYTES == 0);
    for (size_t i = 0; i < length; i += LINE_BYTES) {
        ASSERT(w.used + LINE_TEXT + 2 <= IBE_TEXT_BYTES);
        sodium_bin2base64(w.text + w.used, LINE_TEXT + 1, bytes + i, LINE_BYTES,
                          sodium_base64_VARIANT_ORIGINAL);
        w.used += LINE_TEXT;
        w.text[w.used++] = '\n';
        w.text[w.used] = '\0';
    }
    return w.text;
}

char *ibe_text_format_parameters(arena *memory, const ibe_heading *heading, const ibe_parameters *p)
{
    unsigned char bytes[IBE_PARAMETERS_BYTES];
    ASSERT(heading->kind == IBE_TEXT_PARAMETERS && heading->n_parts != 1);
    ibe_parameters_format(bytes, p);
    return format(memory, heading, bytes, sizeof bytes);
}

char *ibe_text_format_master(arena *memory, const ibe_heading *heading, const ibe_master *m)
{
    unsigned char bytes[IBE_MASTER_BYTES];
    ASSERT(heading->kind == IBE_TEXT_MASTER);
    ibe_master_format(bytes, m);
    char *text = format(memory, heading, bytes, sizeof bytes);
    secret_memory_wipe(bytes, sizeof bytes);
    return text;
}

char *ibe_text_format_key(arena *memory, const ibe_heading *heading, const ibe_key *key)
{
    unsigned char bytes[IBE_KEY_BYTES];
    ASSERT(heading->kind == IBE_TEXT_KEY || heading->kind == IBE_TEXT_PARTIAL);
    ibe_key_format(bytes, key);
    char *text = format(memory, heading, bytes, sizeof bytes);
    secret_memory_wipe(bytes, sizeof bytes);
    return text;
}
