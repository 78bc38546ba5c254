#include "job/joint/run_history.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"
#include "core/text.h"
#include "crypto/digest.h"
#include "job/joint/choice_secret.h"
#include "protocol/leave_together.h"

static const message_type before_type = {"history.before", DISCLOSE_CONTROL};

/* Length of a hash as text, of a name, and more than that of a line. */
enum { HEX = 65, NAME = 96, LINE = 5 * HEX + NAME + 64 };

/* The digests of a run as the list has them. */
typedef struct entry {
    char name[HEX], study[HEX], data[HEX], parties[HEX], secret[HEX];
} entry;

static void to_hex(char hex[HEX], const unsigned char hash[RUN_IDENTITY_BYTES])
{
    sodium_bin2hex(hex, HEX, hash, RUN_IDENTITY_BYTES);
}

/* A hash of something that the list must not give away. */
static void hide(char hex[HEX], const char *domain, const unsigned char secret[DIGEST_BYTES])
{
    unsigned char hash[DIGEST_BYTES];
    digest d;
    digest_init(&d, domain, sizeof hash);
    digest_part(&d, secret, DIGEST_BYTES);
    digest_final(&d, hash);
    to_hex(hex, hash);
}

static void make_entry(entry *e, const run_history *h)
{
    to_hex(e->name, h->id->name);
    to_hex(e->study, h->id->study);
    to_hex(e->parties, h->id->parties);
    hide(e->data, "kith data in the list of runs", h->id->data);
    if (!h->id->has_data)
        snprintf(e->data, sizeof e->data, "-");
    hide(e->secret, "kith choices in the list of runs", h->secret);
}

/* --- checking --- */

/* The user can confirm that the difference may be shown. */
static kith_status refuse(kith_error *error, const char *what, ...)
    __attribute__((format(printf, 2, 3)));

static kith_status refuse(kith_error *error, const char *what, ...)
{
    char found[512];
    va_list arguments;
    va_start(arguments, what);
    text_vformat(found, sizeof found, what, arguments);
    va_end(arguments);
    error_set(error, KITH_INVALID, "%s: who compares both releases learns about the difference",
              found);
    return error_hint(error, KITH_INVALID,
                      "if that is meant, all parties add 'again: true' to the study");
}

static kith_status refuse_study(const run_history *h, const char *when, const char *with,
                                kith_error *error)
{
    return refuse(error, "this party took part in the study %.100s before (%s), with %s",
                  h->study->name, when, with);
}

/* A line of an earlier version: its run drew its choices anew, so no run is identical to it. */
static kith_status check_old_line(const run_history *h, const entry *theirs, const char *when,
                                  kith_error *error)
{
    char name[HEX], data[HEX];
    to_hex(name, h->id->name);
    to_hex(data, h->id->data);
    const bool same_data = h->id->has_data && strcmp(theirs->data, data) == 0;
    if (strcmp(theirs->name, name) == 0)
        return refuse_study(h, when,
                            h->id->has_data && !same_data ? "other data"
                                                          : "random choices that were not kept",
                            error);
    return same_data
               ? refuse(error, "this party gave the same data to another study before (%s)", when)
               : KITH_OK;
}

/* A line of an earlier run of this study, which must have been identical. */
static kith_status check_same_study(const run_history *h, const entry *mine, const entry *theirs,
                                    const char *when, kith_error *error)
{
    if (strcmp(theirs->data, mine->data) != 0)
        return refuse_study(h, when, "other data", error);
    if (strcmp(theirs->study, mine->study) != 0)
        return refuse_study(h, when, "other parameters", error);
    if (strcmp(theirs->parties, mine->parties) != 0)
        return refuse_study(h, when, "other parties", error);
    if (strcmp(theirs->secret, mine->secret) != 0)
        return refuse(error,
                      "this party took part in the study %.100s before (%s), and its random "
                      "choices would be others now, since %.200s.choices is another one",
                      h->study->name, when, h->key_path);
    if (!h->id->repeats)
        return refuse(error,
                      "this party took part in the study %.100s before (%s), and the algorithm "
                      "%s on the encrypted view gives another release in every run",
                      h->study->name, when, h->study->algorithm);
    return KITH_OK;
}

/* Lines about other studies on other data, and lines that cannot be parsed, are ignored. */
static kith_status check_line(const char *line, const run_history *h, const entry *mine,
                              bool *before, kith_error *error)
{
    entry e;
    char when[32], called[NAME] = "";
    int fields = sscanf(line, "%31s %64s %64s %64s %64s %64s %95[^\n]", when, e.name, e.study,
                        e.data, e.parties, e.secret, called);
    if (fields == 4)
        return check_old_line(h, &e, when, error);
    if (fields < 6)
        return KITH_OK;
    if (strcmp(e.name, mine->name) == 0) {
        *before = true;
        return check_same_study(h, mine, &e, when, error);
    }
    if (h->id->has_data && strcmp(e.data, mine->data) == 0)
        return refuse(error, "this party gave the same data to the study %s before (%s)", called,
                      when);
    return KITH_OK;
}

/* The list is beside the key, since both belong to one party. */
static char *path_of(const char *key_path)
{
    size_t length = strlen(key_path) + sizeof ".runs";
    char *path = malloc(length);
    if (path != NULL)
        snprintf(path, length, "%s.runs", key_path);
    return path;
}

kith_status run_history_check(const run_history *h, bool *before, kith_error *error)
{
    char line[LINE];
    entry mine;
    *before = false;
    if (h->study->joint.again)
        return KITH_OK;
    char *path = TRY_ALLOC(path_of(h->key_path), error);
    FILE *in = fopen(path, "r");
    kith_status status =
        in == NULL && errno != ENOENT ? error_errno(error, errno, "read", path) : KITH_OK;
    free(path);
    if (in == NULL)
        return status; /* without a list there was no earlier run */
    make_entry(&mine, h);
    while (status == KITH_OK && fgets(line, sizeof line, in) != NULL)
        status = check_line(line, h, &mine, before, error);
    if (status == KITH_OK && ferror(in))
        status = error_set(error, KITH_IO, "cannot read the list of earlier runs beside %s",
                           h->key_path);
    fclose(in);
    return status;
}

/* --- what the others have run --- */

/* "north, south": the parties whose answer is this one. */
static void list_parties(char *text, size_t size, const party *p, const unsigned char *before,
                         unsigned char answer)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < party_count(p) && used < size; i++)
        if (before[i] == answer)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ",
                                     party_name(p, i));
}

kith_status run_history_compare(party *p, const kith_study *study, bool before, kith_error *error)
{
    unsigned char answers[PARTY_MAX] = {0};
    void *places[PARTY_MAX];
    char with[200], without[200];
    uint32_t count = 0;
    if (study->joint.again)
        return KITH_OK;
    for (uint32_t i = 0; i < party_count(p); i++)
        places[i] = &answers[i];
    answers[party_self(p)] = before;
    const char *step = party_step(p, "earlier runs");
    TRY(party_exchange(p, &before_type, &answers[party_self(p)], places, 1, error));
    for (uint32_t i = 0; i < party_count(p); i++) {
        if (answers[i] > 1)
            return party_protocol_error(p, i, error, "sent an invalid word about earlier runs");
        count += answers[i];
    }
    party_step(p, step);
    if (count == 0 || count == party_count(p))
        return KITH_OK;
    leave_together(p, &leave_together_word);
    list_parties(with, sizeof with, p, answers, 1);
    list_parties(without, sizeof without, p, answers, 0);
    return refuse(error, "the study %.60s was run before by %s, but not by %s", study->name, with,
                  without);
}

/* --- adding --- */

kith_status run_history_add(const run_history *h, kith_error *error)
{
    char when[32], called[NAME];
    entry e;
    time_t now = time(NULL);
    struct tm utc;
    char *path = TRY_ALLOC(path_of(h->key_path), error);
    /* One write to a file opened with O_APPEND: parties with the same key may run in parallel. */
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) {
        kith_status status = error_errno(error, errno, "write", path);
        free(path);
        return status;
    }
    make_entry(&e, h);
    gmtime_r(&now, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    text_quote(called, sizeof called, h->study->name, strlen(h->study->name));
    int wrote = dprintf(file, "%s %s %s %s %s %s %s\n", when, e.name, e.study, e.data, e.parties,
                        e.secret, called);
    int failed = wrote < 0 ? errno : 0;
    if (close(file) != 0 && failed == 0)
        failed = errno;
    kith_status status = failed == 0 ? KITH_OK : error_errno(error, failed, "write", path);
    free(path);
    return status;
}
