#include "support/script.h"

#include <pthread.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "support/script_change.h"
#include "wire/inproc.h"
#include "wire/party_internal.h"

/* --- random bytes --- */

/* The stream of the present thread: a key, and how often it was used. */
static _Thread_local unsigned char stream_key[crypto_stream_chacha20_KEYBYTES];
static _Thread_local uint64_t stream_used;

static void begin_stream(uint32_t party_index)
{
    memset(stream_key, 0, sizeof stream_key);
    memcpy(stream_key, &party_index, sizeof party_index);
    stream_used = 0;
}

static void fixed_buffer(void *const bytes, const size_t length)
{
    unsigned char nonce[crypto_stream_chacha20_NONCEBYTES];
    memcpy(nonce, &stream_used, sizeof nonce);
    stream_used++;
    crypto_stream_chacha20(bytes, length, nonce, stream_key);
}

static uint32_t fixed_number(void)
{
    uint32_t number;
    fixed_buffer(&number, sizeof number);
    return number;
}

static const char *fixed_name(void)
{
    return "script";
}

void script_fix_random(void)
{
    static randombytes_implementation fixed = {
        .implementation_name = fixed_name, .random = fixed_number, .buf = fixed_buffer};
    if (randombytes_set_implementation(&fixed) != 0 || sodium_init() < 0)
        abort();
}

/* --- recording --- */

typedef struct recorder {
    script *script;
    script_fn *fn;
    void *user;
} recorder;

static script *recorded; /* NULL: frames are not noted */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void note(script_part *part, uint32_t from, const frame *f)
{
    if (part->n_frames == part->room) {
        part->room = part->room == 0 ? 64 : 2 * part->room;
        part->frames = realloc(part->frames, part->room * sizeof *part->frames);
        if (part->frames == NULL)
            abort();
    }
    script_frame *to = &part->frames[part->n_frames++];
    *to = (script_frame){.from = from,
                         .kind = f->kind,
                         .disclosure = f->disclosure,
                         .depth = f->depth,
                         .message_bytes = f->message_bytes,
                         .length = f->payload_length,
                         .payload = malloc(f->payload_length + 1)};
    if (to->payload == NULL)
        abort();
    memcpy(to->name, f->name, f->name_length);
    if (f->payload_length > 0)
        memcpy(to->payload, f->payload, f->payload_length);
}

void __real_party_arrived(party *p, uint32_t from, frame_buffer *one);
void __wrap_party_arrived(party *p, uint32_t from, frame_buffer *one);

/* Signs of life come when the clock says so, and the end is always the same: neither is noted. */
void __wrap_party_arrived(party *p, uint32_t from, frame_buffer *one)
{
    frame f;
    if (recorded != NULL && frame_parse(&f, one->bytes, one->length) && f.kind == FRAME_DATA) {
        pthread_mutex_lock(&lock);
        note(&recorded->parts[p->self], from, &f);
        pthread_mutex_unlock(&lock);
    }
    __real_party_arrived(p, from, one);
}

static kith_status record_party(party *p, void *user, kith_error *error)
{
    recorder *r = user;
    script_part *part = &r->script->parts[p->self];
    begin_stream(p->self);
    for (uint32_t i = 0; i < p->count; i++)
        memcpy(part->seeds[i], p->peers[i].seed, PARTY_KEY_BYTES);
    if (p->self == 0)
        memcpy(r->script->run, p->run, sizeof p->run);
    return r->fn(p, r->user, error);
}

/* By sender; threads mix what comes from several. */
static void sort_by_sender(script_part *part)
{
    script_frame *sorted = malloc((part->n_frames + 1) * sizeof *sorted);
    size_t count = 0;
    if (sorted == NULL)
        abort();
    for (uint32_t from = 0; from < PARTY_MAX; from++)
        for (size_t i = 0; i < part->n_frames; i++)
            if (part->frames[i].from == from)
                sorted[count++] = part->frames[i];
    free(part->frames);
    part->frames = sorted;
}

kith_status script_record(script *s, uint32_t n_parties, script_fn *fn, void *user,
                          kith_error *errors)
{
    recorder r = {s, fn, user};
    void *users[PARTY_MAX] = {NULL};
    for (uint32_t i = 0; i < n_parties; i++)
        users[i] = &r;
    *s = (script){.n_parties = n_parties, .parts = calloc(n_parties, sizeof *s->parts)};
    if (s->parts == NULL)
        abort();
    recorded = s;
    begin_stream(PARTY_MAX); /* for the keys of the session */
    const kith_status status = inproc_run(n_parties, NULL, NULL, record_party, users, errors);
    recorded = NULL;
    for (uint32_t i = 0; i < n_parties; i++)
        sort_by_sender(&s->parts[i]);
    return status;
}

void script_free(script *s)
{
    for (uint32_t i = 0; i < s->n_parties; i++) {
        for (size_t k = 0; k < s->parts[i].n_frames; k++)
            free(s->parts[i].frames[k].payload);
        free(s->parts[i].frames);
    }
    free(s->parts);
}

/* --- playing --- */

typedef struct player {
    const script_change *frames;
    bool delivered;
} player;

static void deliver(party *p, const script_frame *from)
{
    const size_t name_length = strlen(from->name);
    const size_t room = from->kind == FRAME_DATA ? FRAME_PAYLOAD : FRAME_CONTROL;
    const size_t length = from->length < room ? from->length : room;
    frame f = {.kind = from->kind,
               .disclosure = from->disclosure,
               .sequence = p->peers[from->from].next_in,
               .depth = from->depth,
               .message_bytes = from->message_bytes,
               .name = from->name,
               .name_length = name_length,
               .payload_length = length};
    frame_buffer *one = party_frame_new(p, FRAME_HEADER + name_length + length);
    if (one == NULL)
        abort();
    memcpy(f.run, p->run, FRAME_RUN);
    if (length > 0)
        memcpy(one->bytes + FRAME_HEADER + name_length, from->payload, length);
    frame_seal(one->bytes, &f);
    __real_party_arrived(p, from->from, one);
}

/* The transport. Nobody reads what the party sends. */
static void pump(party *p, int64_t until_us)
{
    player *y = p->link;
    const bool waits = y->delivered && until_us > party_now_us();
    for (uint32_t i = 0; i < p->count; i++)
        frame_queue_clear(&p->peers[i].out);
    for (size_t i = 0; !y->delivered && i < y->frames->n_frames; i++)
        deliver(p, &y->frames->frames[i]);
    y->delivered = true;
    for (uint32_t i = 0; waits && i < p->count; i++)
        if (i != p->self)
            party_lost(p, i, "the script has ended");
}

static const transport scripted = {pump};

static kith_status play(const script *s, uint32_t self, script_fn *fn, void *user, player *y,
                        arena *memory, kith_error *error)
{
    static char names[PARTY_MAX][16];
    static const char *list[PARTY_MAX];
    const party_times times = {0};
    party *p;
    for (uint32_t i = 0; i < s->n_parties; i++) {
        snprintf(names[i], sizeof names[i], "site%u", (unsigned)i + 1);
        list[i] = names[i];
    }
    kith_status status = party_new(&p, memory, self, s->n_parties, list, &times, false, error);
    if (status != KITH_OK)
        return status;
    memcpy(p->run, s->run, sizeof p->run);
    for (uint32_t i = 0; i < s->n_parties; i++)
        memcpy(p->peers[i].seed, s->parts[self].seeds[i], PARTY_KEY_BYTES);
    p->transport = &scripted;
    p->link = y;
    begin_stream(self);
    return party_end(p, fn(p, user, error), error);
}

kith_status script_play(const script *s, uint32_t self, script_fn *fn, void *user,
                        const uint8_t *bytes, size_t size, kith_error *error)
{
    script_change change;
    script_change_make(&change, s, self, bytes, size);
    player y = {&change, false};
    arena *memory = arena_new();
    if (memory == NULL)
        abort();
    const kith_status status = play(s, self, fn, user, &y, memory, error);
    arena_free(memory);
    script_change_free(&change);
    return status;
}
