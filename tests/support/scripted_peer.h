/* A run with peers that send anything. Of an input the first byte chooses a scene, the second the
 * honest party, and the rest are mutations of what its peers send (script.h). The honest party ends
 * with a result or with an error that blames a peer, and asks for no memory that only a false
 * number can explain. Header only; programs that include it are linked with --wrap for
 * party_arrived, malloc, calloc and realloc. */
#ifndef SUPPORT_SCRIPTED_PEER_H
#define SUPPORT_SCRIPTED_PEER_H

#include "support/bounded_memory.h"
#include "support/fuzz_input.h"
#include "support/honest_end.h"
#include "support/joint_scenes.h"
#include "support/script.h"
#include "support/script_change.h"

enum { SCRIPTED_PEER_SCENES = 32, SCRIPTED_PEER_PEOPLE = 12 };

/* Something that parties do together, with what they sent; recorded when it is first needed. */
typedef struct scripted_peer_scene {
    const char *name;
    uint32_t n_parties;
    script_fn *fn;
    void *user;
    script script;
    bool recorded;
} scripted_peer_scene;

static inline void scripted_peer_end(kith_status status, const kith_error *error)
{
    const bool good = honest_end_allowed(error) && status == error->status &&
                      (status != KITH_PEER || honest_end_names_a_party(error->message));
    if (!good)
        dprintf(fuzz_errors, "%s: %s\n", kith_status_name(status), error->message);
    require(good);
}

/* Records a scene, and sees to it that the script fits: without mutations all ends well. */
static inline void scripted_peer_record(scripted_peer_scene *s)
{
    kith_error errors[PARTY_MAX] = {0};
    script_fix_random();
    const kith_status recorded = script_record(&s->script, s->n_parties, s->fn, s->user, errors);
    for (uint32_t i = 0; i < s->n_parties && recorded != KITH_OK; i++)
        dprintf(fuzz_errors, "%s: site%u: %s\n", s->name, i + 1, errors[i].message);
    require(recorded == KITH_OK);
    for (uint32_t i = 0; i < s->n_parties; i++) {
        kith_error error = {0};
        const kith_status status = script_play(&s->script, i, s->fn, s->user, NULL, 0, &error);
        if (status != KITH_OK)
            dprintf(fuzz_errors, "%s: site%u: %s\n", s->name, i + 1, error.message);
        require(status == KITH_OK);
    }
    s->recorded = true;
}

static inline void scripted_peer_play(scripted_peer_scene *scenes, size_t n_scenes,
                                      const uint8_t *data, size_t size)
{
    kith_error error = {0};
    if (size < 2)
        return;
    scripted_peer_scene *s = &scenes[data[0] % n_scenes];
    if (!s->recorded)
        scripted_peer_record(s);
    const kith_status status =
        script_play(&s->script, data[1] % s->n_parties, s->fn, s->user, data + 2, size - 2, &error);
    scripted_peer_end(status, &error);
}

/* --- joint runs --- */

/* The scenes of joint_scenes.h whose names begin with `prefix`, with few people; returns how many.
 * Both arrays have room for SCRIPTED_PEER_SCENES. */
static inline size_t scripted_peer_open(scripted_peer_scene *scenes, joint_scene *joint,
                                        const char *prefix)
{
    size_t count = 0;
    for (size_t i = 0; i < joint_scenes_count; i++) {
        if (strncmp(joint_scenes[i].name, prefix, strlen(prefix)) != 0)
            continue;
        joint_scene_open_few(&joint[count], &joint_scenes[i], SCRIPTED_PEER_PEOPLE);
        scenes[count] = (scripted_peer_scene){.name = joint[count].spec->name,
                                              .n_parties = joint[count].n_parties,
                                              .fn = joint_scene_take_part,
                                              .user = &joint[count]};
        count++;
    }
    return count;
}

#endif
