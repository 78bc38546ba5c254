/* What goes over the wire: of every scene of joint_scenes.h, with fixed random bytes, all data
 * frames as tests/wire/baseline has them. A line is a scene and a direction, from parties with
 * lower numbers to those with higher ones or back: frames, bytes of their payloads, and a hash of
 * all that a frame says, in the order in which each party sends to each other one. A change of a
 * protocol changes lines of that protocol, and only those. */
/* wrap: party_arrived still_clock */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crypto/digest.h"
#include "support/joint_scenes.h"
#include "support/script.h"

enum { LINE = 160, SHOWN = 8 /* bytes of a hash */ };
static const char path[] = KITH_SOURCE "/tests/wire/baseline";

static void add_number(digest *d, uint64_t number)
{
    digest_part(d, &number, sizeof number);
}

static void add_frame(digest *d, uint32_t to, const script_frame *f)
{
    add_number(d, to);
    add_number(d, f->from);
    add_number(d, f->disclosure);
    add_number(d, f->depth);
    add_number(d, f->message_bytes);
    digest_part(d, f->name, strlen(f->name));
    digest_part(d, f->payload, f->length);
}

static void describe(char line[LINE], const script *s, const char *scene, bool back)
{
    unsigned char hash[DIGEST_BYTES];
    char digits[2 * SHOWN + 1];
    size_t n_frames = 0, n_bytes = 0;
    digest d;
    digest_init(&d, "wire baseline", sizeof hash);
    for (uint32_t to = 0; to < s->n_parties; to++)
        for (size_t i = 0; i < s->parts[to].n_frames; i++) {
            const script_frame *f = &s->parts[to].frames[i];
            if ((f->from > to) != back)
                continue;
            add_frame(&d, to, f);
            n_frames++;
            n_bytes += f->length;
        }
    digest_final(&d, hash);
    snprintf(line, LINE, "%s; %s: %zu frames, %zu bytes, %s\n", scene, back ? "back" : "forth",
             n_frames, n_bytes, sodium_bin2hex(digits, sizeof digits, hash, SHOWN));
}

/* The lines of one scene. */
static void run_scene(char lines[2][LINE], const joint_scene_spec *spec)
{
    joint_scene scene;
    script frames;
    kith_error errors[PARTY_MAX] = {0};
    joint_scene_open(&scene, spec);
    if (script_record(&frames, scene.n_parties, joint_scene_take_part, &scene, errors) != KITH_OK)
        for (uint32_t i = 0; i < scene.n_parties; i++)
            if (errors[i].status != KITH_OK)
                fail_msg("%s: site%u: %s", spec->name, i + 1, errors[i].message);
    for (int back = 0; back < 2; back++)
        describe(lines[back], &frames, spec->name, back);
    script_free(&frames);
    joint_scene_close(&scene);
}

static bool is_in_file(FILE *file, const char *line)
{
    char one[LINE];
    rewind(file);
    while (fgets(one, sizeof one, file) != NULL)
        if (strcmp(one, line) == 0)
            return true;
    return false;
}

static void frames_are_those_of_the_baseline(void **state)
{
    const bool update = getenv("UPDATE") != NULL;
    FILE *file = fopen(path, update ? "w" : "r");
    size_t n_new = 0;
    (void)state;
    if (file == NULL)
        fail_msg("%s: %s", path, strerror(errno));
    for (size_t i = 0; i < joint_scenes_count; i++) {
        char lines[2][LINE];
        run_scene(lines, &joint_scenes[i]);
        for (int k = 0; k < 2; k++) {
            if (update) {
                fputs(lines[k], file);
            } else if (!is_in_file(file, lines[k])) {
                print_error("new: %s", lines[k]);
                n_new++;
            }
        }
    }
    fclose(file);
    if (n_new > 0)
        fail_msg("What goes over the wire has changed. If that is meant: UPDATE=1 %s "
                 "wire/test_baseline, and look at the difference.",
                 program_invocation_name);
}

/* Random bytes are those of the scene alone, whatever ran before it. */
static void a_scene_is_the_same_again(void **state)
{
    char once[2][LINE], again[2][LINE];
    (void)state;
    run_scene(once, &joint_scenes[0]);
    run_scene(again, &joint_scenes[0]);
    for (int k = 0; k < 2; k++)
        assert_string_equal(once[k], again[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_the_same_again),
        cmocka_unit_test(frames_are_those_of_the_baseline),
    };
    script_fix_random();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
