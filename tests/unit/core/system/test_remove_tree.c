/* Removing directories: files, directories in directories, links that lead out, many entries. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system/remove_tree.h"

static char root[64];

static int enter(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/kith-test-tree-XXXXXX");
    return mkdtemp(root) == NULL || chdir(root) != 0;
}

static int leave(void **state)
{
    (void)state;
    remove_tree(root);
    return access(root, F_OK) != 0 ? 0 : 1;
}

static void make_file(const char *path)
{
    int descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(descriptor >= 0);
    close(descriptor);
}

static void removes_what_is_inside(void **state)
{
    (void)state;
    assert_int_equal(mkdir("tree", 0700), 0);
    assert_int_equal(mkdir("tree/site1", 0700), 0);
    assert_int_equal(mkdir("tree/site1/.stage", 0700), 0);
    make_file("tree/.hidden");
    make_file("tree/site1/data.csv");
    make_file("tree/site1/.stage/part");
    remove_tree("tree");
    assert_int_not_equal(access("tree", F_OK), 0);
}

static void removes_more_than_one_look_shows(void **state)
{
    (void)state;
    char path[64];
    assert_int_equal(mkdir("many", 0700), 0);
    for (int i = 0; i < 1000; i++) {
        snprintf(path, sizeof path, "many/%d.csv", i);
        make_file(path);
    }
    remove_tree("many");
    assert_int_not_equal(access("many", F_OK), 0);
}

static void does_not_follow_links(void **state)
{
    (void)state;
    assert_int_equal(mkdir("kept", 0700), 0);
    make_file("kept/file");
    assert_int_equal(mkdir("tree", 0700), 0);
    assert_int_equal(symlink("../kept", "tree/link"), 0);
    remove_tree("tree");
    assert_int_not_equal(access("tree", F_OK), 0);
    assert_int_equal(access("kept/file", F_OK), 0);
}

static void takes_what_is_not_there(void **state)
{
    (void)state;
    remove_tree("nothing");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(removes_what_is_inside),
        cmocka_unit_test(removes_more_than_one_look_shows),
        cmocka_unit_test(does_not_follow_links),
        cmocka_unit_test(takes_what_is_not_there),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
