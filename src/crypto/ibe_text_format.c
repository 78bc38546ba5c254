/* Writing the texts of ibe_text.h. */
#include <stdio.h>
#include <string.h>

#include "core/check.h"
#include "crypto/ibe_text.h"
#include "crypto/secret_memory.h"

enum { LINE_BYTES = 48, LINE_TEXT = 64 };

/* A text that grows in memory of a known size. */
typedef struct writer {
    char *text;
    size_t used;
} writer;

static void ibe_text_format_put(writer *w, const char *key, const char *value)
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
    ibe_text_format_put(w, key, text);
}

static void put_heading(writer *w, const ibe_heading *h)
{
    ibe_text_format_put(w, "", ibe_text_first_line(h->kind));
    if (h->name[0] != '\0')
        ibe_text_format_put(w, "name", h->name);
    if (h->period[0] != '\0')
        ibe_text_format_put(w, "period", h->period);
    put_digest(w, h->kind == IBE_TEXT_PARAMETERS ? "digest" : "parameters", &h->parameters);
    for (uint32_t i = 0; i < h->n_parts; i++)
        put_digest(w, h->kind == IBE_TEXT_PARAMETERS ? "part" : "generator", &h->parts[i]);
    ibe_text_format_put(w, "", "");
}

/* base64 in constant time, as keys need it. */
static void put_bytes(writer *w, const unsigned char *bytes, size_t length)
{
    ASSERT(length % LINE_BYTES == 0);
    for (size_t i = 0; i < length; i += LINE_BYTES) {
        ASSERT(w->used + LINE_TEXT + 2 <= IBE_TEXT_BYTES);
        sodium_bin2base64(w->text + w->used, LINE_TEXT + 1, bytes + i, LINE_BYTES,
                          sodium_base64_VARIANT_ORIGINAL);
        w->used += LINE_TEXT;
        w->text[w->used++] = '\n';
        w->text[w->used] = '\0';
    }
}

static char *format(arena *memory, const ibe_heading *heading, const unsigned char *bytes,
                    size_t length)
{
    writer w = {.text = secret_memory_array(memory, IBE_TEXT_BYTES, 1)};
    if (w.text == NULL)
        return NULL;
    put_heading(&w, heading);
    put_bytes(&w, bytes, length);
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
