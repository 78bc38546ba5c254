#include "job/joint/run_history.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/error.h"

/* Length of a hash as text, and more than that of a line. */
enum { HEX = 65, LINE = 3 * HEX + 256 };

/* The list is beside the key, since both belong to one party. */
static char *path_of(const char *key_path)
{
    size_t length = strlen(key_path) + sizeof ".runs";
    char *path = malloc(length);
    if (path != NULL)
        snprintf(path, length, "%s.runs", key_path);
    return path;
}

/* A hash of everything in the study that has an influence on the release: parties, `again`,
 * `timeout` and `limit` do not. */
static void study_hash(char hex[HEX], const kith_study *study)
{
    crypto_generichash_state state;
    unsigned char hash[32];
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    for (size_t i = 0; i < study->n_entries; i++) {
        const study_entry *e = &study->entries[i];
        if (strncmp(e->path, "parties", 7) == 0 || strcmp(e->path, "again") == 0 ||
            strcmp(e->path, "timeout") == 0 || strcmp(e->path, "limit") == 0)
            continue;
        crypto_generichash_update(&state, (const unsigned char *)e->path, strlen(e->path) + 1);
        crypto_generichash_update(&state, e->hash, sizeof e->hash);
    }
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(hex, HEX, hash, sizeof hash);
}

/* The list has one line for each run, but a name may contain line breaks: it is stored as a hash.
 */
static void name_hash(char hex[HEX], const kith_study *study)
{
    unsigned char hash[32];
    crypto_generichash(hash, sizeof hash, (const unsigned char *)study->name, strlen(study->name),
                       NULL, 0);
    sodium_bin2hex(hex, HEX, hash, sizeof hash);
}

/* A hash of the cells: dictionaries are sorted, so equal tables have equal dictionaries and codes.
 */
static void data_hash(char hex[HEX], const kith_table *table)
{
    crypto_generichash_state state;
    unsigned char hash[32];
    crypto_generichash_init(&state, NULL, 0, sizeof hash);
    for (uint32_t i = 0; table != NULL && i < table->n_columns; i++) {
        const column *c = &table->columns[i];
        crypto_generichash_update(&state, (const unsigned char *)c->name, strlen(c->name) + 1);
        crypto_generichash_update(&state, (const unsigned char *)c->values.bytes,
                                  c->values.offsets[c->values.count]);
        crypto_generichash_update(&state, (const unsigned char *)c->codes,
                                  (size_t)table->n_rows * sizeof *c->codes);
    }
    crypto_generichash_final(&state, hash, sizeof hash);
    sodium_bin2hex(hex, HEX, hash, sizeof hash);
}

/* The user can confirm that the difference may be shown. */
static kith_status refuse(const kith_study *study, const char *when, bool other_data,
                          kith_error *error)
{
    error_set(
        error, KITH_INVALID,
        "this party took part in the study %s before (%s), with %s: who compares both releases "
        "learns about the difference",
        study->name, when, other_data ? "other data" : "other parameters");
    return error_hint(error, KITH_INVALID,
                      "if that is meant, all parties add 'again: true' to the study");
}

/* Lines about other studies, and lines that cannot be parsed, are ignored. */
static kith_status check_line(const char *line, const kith_study *study, const char *study_hex,
                              const char *data_hex, kith_error *error)
{
    char when[32], name[HEX], before_study[HEX], before_data[HEX], own_name[HEX];
    name_hash(own_name, study);
    if (sscanf(line, "%31s %64s %64s %64s", when, name, before_study, before_data) != 4 ||
        strcmp(name, own_name) != 0)
        return KITH_OK;
    bool other_data = strcmp(before_data, data_hex) != 0;
    if (!other_data && strcmp(before_study, study_hex) == 0)
        return KITH_OK;
    return refuse(study, when, other_data, error);
}

kith_status run_history_check(const char *key_path, const kith_study *study,
                              const kith_table *table, kith_error *error)
{
    char study_hex[HEX], data_hex[HEX], line[LINE];
    if (study->joint.again)
        return KITH_OK;
    char *path = TRY_ALLOC(path_of(key_path), error);
    FILE *in = fopen(path, "r");
    kith_status status =
        in == NULL && errno != ENOENT ? error_errno(error, errno, "read", path) : KITH_OK;
    free(path);
    if (in == NULL)
        return status; /* without a list there was no earlier run */
    study_hash(study_hex, study);
    data_hash(data_hex, table);
    while (status == KITH_OK && fgets(line, sizeof line, in) != NULL)
        status = check_line(line, study, study_hex, data_hex, error);
    if (status == KITH_OK && ferror(in))
        status =
            error_set(error, KITH_IO, "cannot read the list of earlier runs beside %s", key_path);
    fclose(in);
    return status;
}

kith_status run_history_add(const char *key_path, const kith_study *study, const kith_table *table,
                            kith_error *error)
{
    char name_hex[HEX], study_hex[HEX], data_hex[HEX], when[32];
    time_t now = time(NULL);
    struct tm utc;
    char *path = TRY_ALLOC(path_of(key_path), error);
    /* One write to a file opened with O_APPEND: parties with the same key may run in parallel. */
    int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0) {
        kith_status status = error_errno(error, errno, "write", path);
        free(path);
        return status;
    }
    study_hash(study_hex, study);
    data_hash(data_hex, table);
    gmtime_r(&now, &utc);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    name_hash(name_hex, study);
    int wrote = dprintf(file, "%s %s %s %s\n", when, name_hex, study_hex, data_hex);
    int failed = wrote < 0 ? errno : 0;
    if (close(file) != 0 && failed == 0)
        failed = errno;
    kith_status status = failed == 0 ? KITH_OK : error_errno(error, failed, "write", path);
    free(path);
    return status;
}
