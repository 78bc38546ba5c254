/* Peers that send anything in a query on the virtual database: sites to each other and to whoever
 * asks, and the querier to the sites. */
/* wrap: party_arrived malloc calloc realloc */
#include "support/fuzz_peer.h"

#include "../unit/job/query/virtual_scene.h"

static const struct {
    uint32_t n_sites;
    bool querier_is_site;
    const char *query;
} asked[] = {
    {2, false, "SELECT count(*), sum(cost), avg(age) WHERE age < 7 AND sex = 'f'"},
    {3, true, "SELECT sex, count(*), min(age), max(cost) GROUP BY sex"},
    {3, false, "SELECT cost, count(*) WHERE age BETWEEN 3 AND 12 OR cost = 5 GROUP BY cost"},
    {2, true, "SELECT age, cost WHERE age < 7 AND sex = 'f' ORDER BY age, cost"},
    {3, false, "SELECT age, cost WHERE age < 7 ORDER BY age"},
};
enum { ASKED = sizeof asked / sizeof *asked };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static scripted_peer_scene scenes[ASKED];
    for (size_t i = 0; scenes[i % ASKED].fn == NULL && i < ASKED; i++) {
        scene *s = scene_new(asked[i].n_sites, asked[i].querier_is_site, i);
        s->query = asked[i].query;
        scenes[i] =
            (scripted_peer_scene){asked[i].query, scene_parties(s), scene_take_part, s, {0}, false};
    }
    scripted_peer_play(scenes, ASKED, data, size);
    return 0;
}
