/* What one party receives in a run of the ID-based protocol, and the keys to read it. */
#ifndef SUPPORT_ID_BASED_VIEW_H
#define SUPPORT_ID_BASED_VIEW_H

#include "support/id_based_job.h"

/* --- keys --- */

/* A generator whose keys the test knows. */
typedef struct id_based_keys {
    ibe_parameters parameters;
    ibe_identity identities[2];
    ibe_key keys[2];
    arena *memory;
    ibe_recipient *recipient; /* the first party, which is Alice */
    ibe_reader *reader;
} id_based_keys;

static inline id_based_keys *id_based_keys_new(void)
{
    id_based_keys *k = calloc(1, sizeof *k);
    ibe_master master;
    if (k == NULL || (k->memory = arena_new_wiping()) == NULL)
        abort();
    ibe_generate(&k->parameters, &master);
    for (int i = 0; i < 2; i++) {
        ibe_identity_of(&k->identities[i], i == 0 ? "north" : "south", "2026-11");
        ibe_extract(&k->keys[i], &k->parameters, &master, &k->identities[i]);
    }
    if (ibe_recipient_new(&k->recipient, k->memory, &k->parameters, &k->identities[0], NULL) !=
            KITH_OK ||
        ibe_reader_new(&k->reader, k->memory, &k->keys[0], NULL) != KITH_OK)
        abort();
    return k;
}

static inline void id_based_keys_free(id_based_keys *k)
{
    arena_free(k->memory);
    free(k);
}

static inline void id_based_keys_lend(const id_based_keys *k, id_based_job *j)
{
    j->parameters = &k->parameters;
    j->identities = k->identities;
    j->keys = k->keys;
}

/* --- views --- */

enum { ID_BASED_VIEW_MESSAGES = 512, ID_BASED_VIEW_TYPE = 24 };

typedef struct id_based_message {
    char type[ID_BASED_VIEW_TYPE];
    size_t length;
    unsigned char *bytes;
} id_based_message;

/* All messages that party `at` got, in their order. */
typedef struct id_based_view {
    uint32_t at;
    size_t count;
    id_based_message messages[ID_BASED_VIEW_MESSAGES];
} id_based_view;

static inline void id_based_view_add(id_based_view *v, const char *type, const void *bytes,
                                     size_t length)
{
    if (v->count == ID_BASED_VIEW_MESSAGES || strlen(type) >= ID_BASED_VIEW_TYPE)
        abort();
    id_based_message *m = &v->messages[v->count++];
    strcpy(m->type, type);
    m->length = length;
    m->bytes = malloc(length + 1);
    if (m->bytes == NULL)
        abort();
    if (length > 0)
        memcpy(m->bytes, bytes, length);
}

static inline void id_based_view_saw(void *user, uint32_t self, uint32_t from, const char *type,
                                     const void *bytes, size_t length)
{
    id_based_view *v = user;
    (void)from;
    if (self == v->at)
        id_based_view_add(v, type, bytes, length);
}

static inline void id_based_view_free(id_based_view *v)
{
    for (size_t i = 0; i < v->count; i++)
        free(v->messages[i].bytes);
    free(v);
}

/* Runs the job and keeps what party `at` gets. */
static inline id_based_view *id_based_view_of(id_based_job *j, uint32_t at)
{
    id_based_view *v = calloc(1, sizeof *v);
    void *users[] = {j, j};
    if (v == NULL)
        abort();
    v->at = at;
    const inproc_options options = {.record = {id_based_view_saw, v}};
    kith_error errors[2] = {0};
    if (inproc_run(2, NULL, &options, id_based_job_fn, users, errors) != KITH_OK)
        abort();
    return v;
}

/* The ciphertexts of all messages of a type, one after the other; the caller frees them. */
static inline ibe_ciphertext *id_based_view_ciphertexts(const id_based_view *v, const char *type,
                                                        size_t *count)
{
    ibe_ciphertext *out = NULL;
    *count = 0;
    for (size_t i = 0; i < v->count; i++) {
        const id_based_message *m = &v->messages[i];
        const size_t n = strcmp(m->type, type) == 0 ? m->length / IBE_CIPHERTEXT_BYTES : 0;
        if (n == 0)
            continue;
        out = realloc(out, (*count + n) * sizeof *out);
        if (out == NULL)
            abort();
        for (size_t c = 0; c < n; c++)
            if (!ibe_ciphertext_parse(&out[*count + c], m->bytes + c * IBE_CIPHERTEXT_BYTES))
                abort();
        *count += n;
    }
    return out;
}

#endif
