/* A joint run over TLS: two sites with rows of their own make one release. Both run here, each in a
 * process; elsewhere each site has its key, its data and the joint study, and calls take_part.
 *
 *   cc party.c $(pkg-config --cflags --libs kith) -o party && ./party */
#define _XOPEN_SOURCE 700
#include <arpa/inet.h>
#include <ftw.h>
#include <kith/joint.h>
#include <kith/kith.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char study_text[] =
    "study: example\n"
    "columns:\n"
    "  - {name: age, role: quasi-identifying, type: integer,\n"
    "     hierarchy: {intervals: [10, 20, 40]}, domain: {range: [0, 79]}}\n"
    "  - {name: disease, role: sensitive}\n"
    "privacy:\n"
    "  - {model: k-anonymity, k: 2}\n"
    "partition: horizontal\n";

enum { SITES = 2 };
static const char *const names[SITES] = {"north", "south"};
static const char *const tables[SITES] = {"age,disease\n31,flu\n32,flu\n33,gout\n34,flu\n35,"
                                          "cold\n61,flu\n62,flu\n63,gout\n64,flu\n65,cold\n",
                                          "age,disease\n36,flu\n37,cold\n38,flu\n39,flu\n39,"
                                          "gout\n66,flu\n67,gout\n68,flu\n69,flu\n69,cold\n"};

static kith_status fail(const char *what, kith_status status, const kith_error *error)
{
    if (status != KITH_OK)
        fprintf(stderr, "%s: %s: %s\n", what, kith_status_name(status), error->message);
    return status;
}

static const char *file_of(const char *name, const char *ending)
{
    static char path[4][64];
    static unsigned next;
    char *made = path[next++ % 4];
    snprintf(made, sizeof path[0], "%s%s", name, ending);
    return made;
}

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    return file != NULL && fputs(text, file) >= 0 && fclose(file) == 0;
}

/* A port that is free now. */
static unsigned free_port(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof at;
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    const bool bound = fd >= 0 && bind(fd, (struct sockaddr *)&at, length) == 0 &&
                       getsockname(fd, (struct sockaddr *)&at, &length) == 0;
    if (fd >= 0)
        close(fd);
    return bound ? ntohs(at.sin_port) : 0;
}

/* At a site: a secret key, and the line about it that the others get. */
static kith_status make_party(const char *name, kith_error *error)
{
    char address[32], *line = NULL;
    const char *key = file_of(name, ".key");
    const kith_identity_options options =
        KITH_OPTIONS(kith_identity_options, .name = name, .n_days = 365);
    kith_status status = kith_identity_create(key, &options, error);
    snprintf(address, sizeof address, "127.0.0.1:%u", free_port());
    if (status == KITH_OK)
        status = kith_identity_party(&line, key, address, error);
    if (status == KITH_OK && !write_text(file_of(name, ".party"), line))
        status = KITH_IO;
    kith_free(line);
    return fail(name, status, error);
}

/* Anywhere: the study with its parties, the same file for all sites, who compare its digest. */
static kith_status join(kith_error *error)
{
    const char *const parties[SITES] = {file_of(names[0], ".party"), file_of(names[1], ".party")};
    const kith_join_options options =
        KITH_OPTIONS(kith_join_options, .base = "study.yaml", .parties = parties,
                     .n_parties = SITES, .output = "joint.yaml");
    return fail("join", kith_study_join(NULL, &options, NULL, error), error);
}

/* At a site: waits for the others and takes part. Release and ledger are in the directory `name`. */
static kith_status take_part(const char *name, kith_error *error)
{
    kith_study *study = NULL;
    kith_document *summary = NULL;
    const kith_party_options options = KITH_OPTIONS(
        kith_party_options, .as = name, .key = file_of(name, ".key"),
        .input = KITH_INPUT_URI(file_of(name, ".csv")), .directory = name, .wait_ms = 60000);
    kith_status status = kith_study_read(&study, "joint.yaml", NULL, error);
    if (status == KITH_OK)
        status = kith_party_run(&summary, study, &options, NULL, error);
    if (status == KITH_OK)
        printf("%s: %.0f records in %.0f classes\n", name,
               kith_document_number(summary, KITH_KEY_RECORDS, 0),
               kith_document_number(summary, KITH_KEY_CLASSES, 0));
    kith_document_free(summary);
    kith_study_free(study);
    return fail(name, status, error);
}

static int play(void)
{
    kith_error error = {.status = KITH_OK};
    if (!write_text("study.yaml", study_text))
        return 1;
    for (int i = 0; i < SITES; i++)
        if (!write_text(file_of(names[i], ".csv"), tables[i]) ||
            make_party(names[i], &error) != KITH_OK)
            return 1;
    if (join(&error) != KITH_OK)
        return 1;
    const pid_t other = fork();
    if (other == 0)
        exit(take_part(names[1], &error) != KITH_OK);
    int ended = 1;
    const kith_status status = take_part(names[0], &error);
    if (other < 0 || waitpid(other, &ended, 0) != other || status != KITH_OK || ended != 0)
        return 1;
    /* What a party sent, and what it learned. */
    kith_document *ledger = NULL;
    if (fail("ledger", kith_ledger_describe(&ledger, names[0], &error), &error) != KITH_OK)
        return 1;
    printf("%s: the run is %s\n", names[0], kith_document_text(ledger, "outcome", ""));
    kith_document_free(ledger);
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

int main(void)
{
    char directory[] = "/tmp/kith-example-XXXXXX";
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        return 1;
    const int result = play();
    return nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS) == 0 ? result : 1;
}
