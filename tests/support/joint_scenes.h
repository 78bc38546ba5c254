/* Whole joint runs of every protocol on a small table: from the sites' tables to files of the
 * release. For tests of what holds in all of them. */
#ifndef SUPPORT_JOINT_SCENES_H
#define SUPPORT_JOINT_SCENES_H

#include <kith/kith.h>

#include "wire/party.h"

/* A scene before it is set up. The parties behind the sites are masters without data. */
typedef struct joint_scene_spec {
    const char *name;
    const char *partition; /* NULL: all secure primitives, one after the other, and no study */
    uint32_t n_sites, n_masters;
    const char *models; /* beside k-anonymity; each begins with a comma */
    const char *keys;   /* of the study */
} joint_scene_spec;

/* Those of the protocols that are built. */
extern joint_scene_spec joint_scenes[];
extern size_t joint_scenes_count;

typedef struct joint_scene {
    const joint_scene_spec *spec;
    uint32_t n_parties;
    uint32_t n_people; /* 0: as many as serve most tests */
    kith_study *study;
    kith_table *parts[PARTY_MAX]; /* [n_parties], NULL at masters */
    /* Party i writes to the directory <directory>/i, which must exist; NULL: no files. */
    const char *directory;
} joint_scene;

/* Names the first error on stderr and aborts if the study is not valid. */
void joint_scene_open(joint_scene *s, const joint_scene_spec *spec);
/* The same with fewer people, for tests that make very many runs. */
void joint_scene_open_few(joint_scene *s, const joint_scene_spec *spec, uint32_t n_people);
void joint_scene_close(joint_scene *s);

/* A party's part; `user` is the scene, the same for all. Algorithms make the same choices in every
 * run. */
kith_status joint_scene_take_part(party *p, void *user, kith_error *error) KITH_MUST_USE;

#endif
