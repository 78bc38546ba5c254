#include "job/history/run_history.h"

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
#include "core/findings.h"
#include "core/text.h"
#include "crypto/digest.h"

/* Length of a hash as text, of a name, of what a failed run disclosed, and more than that of a
 * line. */
enum { HEX = 65, NAME = 96, TEXT = 1000, LINE = 5 * HEX + NAME + TEXT + 64 };

/* First words of lines about runs without a release. */
static const char begun_word[] = "begun ", opened_word[] = "opened ", failed_word[] = "failed ";

/* The digests of a run as the list has them. */
typedef struct entry {
    char name[HEX], study[HEX], data[HEX], parties[HEX], secret[HEX];
    char ordered[HEX]; /* of this run only: what an earlier version would have in `data` */
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
    hide(e->data, "kith rows in the list of runs", h->id->data);
    hide(e->ordered, "kith data in the list of runs", h->id->ordered);
    if (!h->id->has_data)
        memcpy(e->data, "-", 2);
    hide(e->secret, "kith choices in the list of runs", h->secret);
}

/* --- checking --- */

/* The user can confirm that the difference may be shown. */
static kith_status __attribute__((format(printf, 2, 3)))
refuse(kith_error *error, const char *what, ...)
{
    char found[512];
    va_list arguments;
    va_start(arguments, what);
    text_vformat(found, sizeof found, what, arguments);
    va_end(arguments);
    error_set(error, KITH_INVALID,
              "%s: anyone who compares both releases learns about the difference", found);
    return error_hint(error, KITH_INVALID, RUN_HISTORY_AGAIN);
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
    to_hex(data, h->id->ordered);
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

/* The list as it is read, and what it says about this run. */
typedef struct reading {
    const run_history *h;
    entry mine;
    run_history_past past;
    char opened[32];    /* when a run on other data opened answers; empty: none did */
    char regrouped[32]; /* when a run on these data with other parties opened answers; or empty */
    char
        renamed[32]; /* when a study of another name opened answers about these data; empty: none */
} reading;

/* Are the data of a line those of this run? Earlier versions knew them as they stood. */
static bool same_data(const reading *r, const entry *theirs)
{
    return strcmp(theirs->data, r->mine.data) == 0 || strcmp(theirs->data, r->mine.ordered) == 0;
}

/* An identical run was made: if by a version that took rows as they stood, so must this one. */
static void note_identical(reading *r, const entry *theirs)
{
    if (strcmp(theirs->data, r->mine.data) != 0)
        r->past.by_position = true;
}

/* A line of an earlier run of this study, which must have been identical. */
static kith_status check_same_study(reading *r, const entry *theirs, const char *when,
                                    kith_error *error)
{
    const run_history *h = r->h;
    const entry *mine = &r->mine;
    if (!same_data(r, theirs))
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
    note_identical(r, theirs);
    return KITH_OK;
}

/* A run that has begun. If it is identical, its release may be known to others even if this party
 * did not get to it; others may have got to its questions in any case. */
static void check_begun(reading *r, const char *line)
{
    entry e;
    char when[32];
    const entry *mine = &r->mine;
    int fields = sscanf(line, "%31s %64s %64s %64s %64s %64s", when, e.name, e.study, e.data,
                        e.parties, e.secret);
    if (fields != 6 || strcmp(e.name, mine->name) != 0 || !same_data(r, &e))
        return;
    const bool identical = strcmp(e.study, mine->study) == 0 &&
                           strcmp(e.parties, mine->parties) == 0 &&
                           strcmp(e.secret, mine->secret) == 0;
    if (identical)
        note_identical(r, &e);
    if (identical && r->past.before == RUN_HISTORY_TRIED)
        r->past.before = RUN_HISTORY_BEGUN;
    if (r->past.before == RUN_HISTORY_NEVER)
        r->past.before = identical ? RUN_HISTORY_BEGUN : RUN_HISTORY_TRIED;
}

/* A run in which the protocol answered questions about records: who leaves then and comes back
 * with other data would have the answers about both, and so would all others if it stays away. */
static void check_opened(reading *r, const char *line)
{
    entry e;
    char when[32];
    int fields = sscanf(line, "%31s %64s %64s %64s %64s", when, e.name, e.study, e.data, e.parties);
    if (fields != 5)
        return;
    if (strcmp(e.name, r->mine.name) != 0) { /* others may have come back with other data */
        if (r->h->id->has_data && same_data(r, &e))
            memcpy(r->renamed, when, sizeof when);
    } else if (!same_data(r, &e))
        memcpy(r->opened, when, sizeof when);
    else if (strcmp(e.parties, r->mine.parties) != 0)
        memcpy(r->regrouped, when, sizeof when);
    else if (r->past.before != RUN_HISTORY_PUBLISHED)
        r->past.before = RUN_HISTORY_OPENED;
}

/* True if the line begins with this word, which is then skipped. */
static bool skip_word(const char **line, const char *word)
{
    if (strncmp(*line, word, strlen(word)) != 0)
        return false;
    *line += strlen(word);
    return true;
}

/* Lines about other studies on other data, and lines that cannot be parsed, are ignored. */
static kith_status check_line(reading *r, const char *line, kith_error *error)
{
    entry e;
    char when[32], called[NAME] = "";
    if (skip_word(&line, begun_word)) {
        check_begun(r, line);
        return KITH_OK;
    }
    if (skip_word(&line, opened_word)) {
        check_opened(r, line);
        return KITH_OK;
    }
    if (skip_word(&line, failed_word))
        return KITH_OK;
    int fields = sscanf(line, "%31s %64s %64s %64s %64s %64s %95[^\n]", when, e.name, e.study,
                        e.data, e.parties, e.secret, called);
    if (fields == 4)
        return check_old_line(r->h, &e, when, error);
    if (fields < 6)
        return KITH_OK;
    if (strcmp(e.name, r->mine.name) == 0) {
        r->past.before = RUN_HISTORY_PUBLISHED;
        return check_same_study(r, &e, when, error);
    }
    if (r->h->id->has_data && same_data(r, &e))
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

/* *in is NULL if there is no list: then there was no earlier run. */
static kith_status open_list(FILE **in, const char *key_path, kith_error *error)
{
    char *path = TRY_ALLOC(path_of(key_path), error);
    *in = fopen(path, "r");
    kith_status status =
        *in == NULL && errno != ENOENT ? error_errno(error, errno, "read", path) : KITH_OK;
    free(path);
    return status;
}

static kith_status close_list(FILE *in, kith_status status, const char *key_path, kith_error *error)
{
    if (status == KITH_OK && ferror(in))
        status =
            error_set(error, KITH_IO, "cannot read the list of earlier runs next to %s", key_path);
    fclose(in);
    return status;
}

kith_status run_history_check(const run_history *h, run_history_past *past, kith_error *error)
{
    char line[LINE], before[200];
    reading r = {.h = h, .past = {.before = RUN_HISTORY_NEVER}};
    FILE *in;
    kith_status status = KITH_OK;
    *past = r.past;
    if (h->study->joint.again)
        return KITH_OK;
    TRY(open_list(&in, h->key_path, error));
    if (in == NULL)
        return KITH_OK;
    make_entry(&r.mine, h);
    while (status == KITH_OK && fgets(line, sizeof line, in) != NULL)
        status = check_line(&r, line, error);
    TRY(close_list(in, status, h->key_path, error));
    *past = r.past;
    if (r.opened[0] != '\0' || r.regrouped[0] != '\0')
        snprintf(before, sizeof before, "took part in the study %.100s before (%s), with other %s",
                 h->study->name, r.opened[0] != '\0' ? r.opened : r.regrouped,
                 r.opened[0] != '\0' ? "data" : "parties");
    else if (r.renamed[0] != '\0')
        snprintf(before, sizeof before, "gave the same data to a study of another name before (%s)",
                 r.renamed);
    else
        return KITH_OK;
    error_set(error, KITH_INVALID,
              "this party %s; that run ended without a release, but answers about records had been "
              "opened: who compares them with those of another run learns about the difference",
              before);
    return error_hint(error, KITH_INVALID, RUN_HISTORY_AGAIN);
}

/* --- warning --- */

/* The last run of a study that has no release, as far as the list has been read. */
typedef struct unpublished {
    char when[32];        /* empty: there is none */
    char disclosed[TEXT]; /* empty: it ended without a word */
} unpublished;

/* Reads a line about the study whose name has this digest. */
static void note_line(unpublished *last, const char *line, const char name[HEX])
{
    char when[32], of[HEX], text[TEXT] = "";
    const bool begun = skip_word(&line, begun_word) || skip_word(&line, opened_word);
    const bool failed = skip_word(&line, failed_word);
    int fields = sscanf(line, "%31s %64s %*s %*s %*s %*s %999[^\n]", when, of, text);
    if (fields < 2 || strcmp(of, name) != 0)
        return;
    *last = (unpublished){.when = ""};
    if (!begun && !failed)
        return;
    memcpy(last->when, when, sizeof when);
    if (failed)
        memcpy(last->disclosed, text, sizeof text);
}

kith_status run_history_warn(kith_findings *findings, const kith_study *study, const char *key_path,
                             kith_error *error)
{
    char line[LINE], name[HEX];
    run_identity id;
    unpublished last = {.when = ""};
    FILE *in;
    TRY(open_list(&in, key_path, error));
    if (in == NULL)
        return KITH_OK;
    run_identity_make(&id, study, NULL, NULL);
    to_hex(name, id.name);
    while (fgets(line, sizeof line, in) != NULL)
        note_line(&last, line, name);
    TRY(close_list(in, KITH_OK, key_path, error));
    if (last.when[0] == '\0' || strcmp(last.disclosed, RUN_HISTORY_NOTHING) == 0)
        return KITH_OK;
    findings_add(findings, KITH_SEVERITY_WARNING, NULL, 0, 0,
                 "an earlier run of the study %.100s (%s) ended before it published anything; it "
                 "had disclosed %s",
                 study->name, last.when,
                 last.disclosed[0] != '\0' ? last.disclosed
                                           : "what its ledger lists, if it got to write one");
    return KITH_OK;
}

/* --- adding --- */

/* Adds a line that begins with a word and ends with a text. */
static kith_status add_line(const run_history *h, const char *word, const char *text,
                            kith_error *error)
{
    char when[32];
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
    int wrote = dprintf(file, "%s%s %s %s %s %s %s %s\n", word, when, e.name, e.study, e.data,
                        e.parties, e.secret, text);
    int failed = wrote < 0 ? errno : 0;
    if (close(file) != 0 && failed == 0)
        failed = errno;
    kith_status status = failed == 0 ? KITH_OK : error_errno(error, failed, "write", path);
    free(path);
    return status;
}

kith_status run_history_add(const run_history *h, run_history_before now, kith_error *error)
{
    const char *const words[] = {[RUN_HISTORY_PUBLISHED] = "",
                                 [RUN_HISTORY_BEGUN] = begun_word,
                                 [RUN_HISTORY_OPENED] = opened_word};
    char called[NAME];
    text_quote(called, sizeof called, h->study->name, strlen(h->study->name));
    return add_line(h, words[now], called, error);
}

/* The run has failed already, and the line `begun` is there: an error here changes nothing. */
void run_history_fail(const run_history *h, const char *disclosed)
{
    char text[TEXT];
    text_quote(text, sizeof text, disclosed, strlen(disclosed));
    (void)!add_line(h, failed_word, text, NULL);
}
