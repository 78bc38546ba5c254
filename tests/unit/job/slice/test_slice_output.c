/* The directory that several ranks write appears at once, or not at all. */
#include "unit/job/support.h"

#include <dirent.h>
#include <sys/stat.h>

#include "core/error.h"
#include "core/system/remove_tree.h"
#include "job/slice/slice_output.h"
#include "support/thread_ranks.h"

enum { RANKS = 3 };

typedef struct output_case {
    const char *path, *text;
    bool overwrite;
    int failing; /* rank, or -1 */
    kith_status status[RANKS];
    char message[RANKS][1024];
} output_case;

static kith_status write_part(const output_case *o, context *c, kith_error *error)
{
    slice_output out;
    TRY(slice_output_open(&out, o->path, o->overwrite, c, error));
    FILE *file = fopen(out.part, "w");
    if (file == NULL)
        return error_set(error, KITH_IO, "no part");
    fprintf(file, "%s %u\n", o->text, ranks_self(c->ranks));
    fclose(file);
    if ((int)ranks_self(c->ranks) == o->failing)
        return error_set(error, KITH_DATA, "a wrong row");
    const publication none = {0};
    return slice_output_commit(&out, &none, c, error);
}

static void one_rank(kith_ranks *ranks, void *user)
{
    output_case *o = user;
    kith_error error = {0};
    context own;
    kith_status status = context_init(&own, NULL, &error);
    if (status == KITH_OK) {
        own.ranks = ranks;
        status = write_part(o, &own, &error);
        status = ranks_leave(ranks, status, &error);
        context_wipe(&own);
    }
    o->status[ranks_self(ranks)] = status;
    memcpy(o->message[ranks_self(ranks)], error.message, sizeof error.message);
}

static void run(output_case *o, kith_status expected)
{
    thread_ranks_run(RANKS, one_rank, o);
    for (uint32_t r = 0; r < RANKS; r++)
        assert_int_equal(o->status[r], expected);
}

static uint32_t entries(const char *path)
{
    uint32_t count = 0;
    DIR *d = opendir(path);
    assert_non_null(d);
    while (readdir(d) != NULL)
        count++;
    closedir(d);
    return count - 2; /* without . and .. */
}

static void assert_parts(const char *path, const char *text)
{
    assert_int_equal(entries(path), RANKS);
    for (uint32_t r = 0; r < RANKS; r++) {
        char name[200], expected[40], found[40] = "";
        snprintf(name, sizeof name, "%s/part-%05u.csv", path, r);
        snprintf(expected, sizeof expected, "%s %u\n", text, r);
        FILE *file = fopen(name, "r");
        assert_non_null(file);
        assert_non_null(fgets(found, sizeof found, file));
        fclose(file);
        assert_string_equal(found, expected);
    }
}

static void parts_appear_together_or_not_at_all(void **state)
{
    (void)state;
    char root[] = "/tmp/kith-share-XXXXXX", path[100], given[120];
    struct stat seen, made;
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/release", root);
    snprintf(given, sizeof given, "%s//", path);
    output_case o = {.path = given, .text = "first", .failing = 1};
    run(&o, KITH_DATA);
    assert_string_equal(o.message[2], "a wrong row");
    assert_int_equal(entries(root), 0);

    o.failing = -1;
    run(&o, KITH_OK);
    assert_parts(path, "first");
    assert_int_equal(entries(root), 1);
    char other[120];
    snprintf(other, sizeof other, "%s.other", path);
    assert_int_equal(mkdir(other, 0777), 0);
    assert_int_equal(stat(path, &seen), 0);
    assert_int_equal(stat(other, &made), 0);
    assert_int_equal(seen.st_mode, made.st_mode);
    rmdir(other);

    o.text = "second";
    o.path = path;
    run(&o, KITH_INVALID);
    assert_non_null(strstr(o.message[0], "exists already"));
    assert_parts(path, "first");
    o.overwrite = true;
    run(&o, KITH_OK);
    assert_parts(path, "second");
    assert_int_equal(entries(root), 1);

    /* A directory with other things in it is no older release. */
    o.text = "third";
    snprintf(other, sizeof other, "%s/letters.txt", path);
    FILE *file = fopen(other, "w");
    assert_non_null(file);
    fclose(file);
    run(&o, KITH_INVALID);
    assert_non_null(strstr(o.message[0], "is not replaced: it holds 'letters.txt'"));
    assert_int_equal(unlink(other), 0);
    assert_parts(path, "second");
    assert_int_equal(entries(root), 1);
    remove_tree(root);
}

static void what_is_no_directory_is_refused(void **state)
{
    (void)state;
    static const char *const paths[] = {"-", "sqlite:x.db?table=t", "/dev/null"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        output_case o = {.path = paths[i], .text = "", .failing = -1};
        run(&o, KITH_INVALID);
        assert_non_null(strstr(o.message[1], "not a directory"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_appear_together_or_not_at_all),
        cmocka_unit_test(what_is_no_directory_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
