/* Honest parties against peers that follow a script (support/script.h): without mutations every
 * party of every scene ends as in the recorded run, and the inputs of the fuzz targets, among them
 * every one that has found a defect, end well in this build, too. */
/* wrap: party_arrived malloc calloc realloc */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>

#include "support/built.h"
#include "support/scratch.h"
#include "support/scripted_peer.h"

/* Targets of tests/fuzz, and the scenes that they choose from. */
static const struct {
    const char *target, *prefix;
} families[] = {
    {"peer_primitives", "primitives"}, {"peer_joint_tree", "weave"}, {"peer_rows", "rows"},
    {"peer_mondrian", "mondrian"},     {"peer_columns", "columns"},  {"peer_view", "view"},
    {"peer_id_based", "id-based"},
};
enum { FAMILIES = sizeof families / sizeof *families };

/* Runs all inputs of a target; returns how many there are. */
static size_t run_corpus(scripted_peer_scene *scenes, size_t n_scenes, const char *target)
{
    char path[512];
    size_t count = 0;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", KITH_SOURCE, target);
    DIR *directory = opendir(path);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        char file[800];
        size_t length = 0;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        char *bytes = scratch_read(file, &length);
        assert_non_null(bytes);
        print_message("%s\n", file); /* before it aborts */
        scripted_peer_play(scenes, n_scenes, (const uint8_t *)bytes, length);
        free(bytes);
        count++;
    }
    closedir(directory);
    return count;
}

static void inputs_of_fuzzing_end_well(void **state)
{
    (void)state;
    for (size_t i = 0; i < FAMILIES; i++) {
        scripted_peer_scene scenes[SCRIPTED_PEER_SCENES] = {0};
        joint_scene joint[SCRIPTED_PEER_SCENES];
        const size_t n_scenes = scripted_peer_open(scenes, joint, families[i].prefix);
        if (n_scenes == 0 && !built_all())
            continue;
        assert_true(n_scenes > 0);
        assert_true(run_corpus(scenes, n_scenes, families[i].target) > 0);
        for (size_t k = 0; k < n_scenes; k++) {
            if (!scenes[k].recorded)
                scripted_peer_record(&scenes[k]);
            script_free(&scenes[k].script);
            joint_scene_close(&joint[k]);
        }
    }
}

/* A lie that must be found shows that mutations reach the party: the first frame is never sent. */
static void a_cut_script_blames_the_peer(void **state)
{
    static const uint8_t cut[] = {SCRIPT_CUT, 0, 0, 0, 0, 0};
    scripted_peer_scene scenes[SCRIPTED_PEER_SCENES] = {0};
    joint_scene joint[SCRIPTED_PEER_SCENES];
    kith_error error = {0};
    (void)state;
    const size_t n_scenes = scripted_peer_open(scenes, joint, "weave of 3");
    assert_int_equal(n_scenes, 1);
    scripted_peer_record(&scenes[0]);
    assert_int_equal(
        script_play(&scenes[0].script, 0, scenes[0].fn, scenes[0].user, cut, sizeof cut, &error),
        KITH_PEER);
    assert_non_null(strstr(error.message, "site2 ended its run"));
    script_free(&scenes[0].script);
    joint_scene_close(&joint[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cut_script_blames_the_peer),
        cmocka_unit_test(inputs_of_fuzzing_end_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
