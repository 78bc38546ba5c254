/* Where a key belongs that is written in the wrong section. */
#include <stdio.h>
#include <string.h>

#include "core/text.h"
#include "study/schema/schema.h"
#include "study/schema/schema_model.h"

/* A section of a study; `what` is how messages call it. */
typedef struct place {
    const char *what, *path;
    const yaml_key *keys;
} place;

/* The key that is nearest so far. */
typedef struct nearest {
    const char *word, *path, *key;
    size_t distance;
} nearest;

/* Every fourth letter may differ: there are many keys, and a far-fetched one does not help. */
static void offer(nearest *n, const char *path, const yaml_key *keys)
{
    for (const yaml_key *key = keys; key->name != NULL; key++) {
        const size_t distance = text_distance(n->word, key->name);
        if (key->refused != NULL || distance > strlen(n->word) / 4 ||
            (n->key != NULL && distance >= n->distance))
            continue;
        *n = (nearest){n->word, path, key->name, distance};
    }
}

bool schema_places_find(char *text, size_t size, const char *what, const char *word, bool exactly)
{
    const place places[] = {
        {"the study", "", schema_keys},
        {"utility", "utility.", schema_utility_keys},
        {"a column", "columns.", schema_columns_keys},
        {"a hierarchy", "columns.hierarchy.", schema_hierarchy_keys},
        {"queries", "queries.", schema_queries_keys},
        {"a party", "parties.", schema_parties_keys},
    };
    nearest n = {.word = word};
    bool in_model = true; /* messages call models by their names */
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        const bool here = strcmp(places[i].what, what) == 0;
        in_model = in_model && !here;
        if (!here)
            offer(&n, places[i].path, places[i].keys);
    }
    yaml_key keys[SCHEMA_MODEL_KEYS];
    for (model_id id = 0; id < MODEL_COUNT && !in_model; id++) {
        schema_model_keys(id, keys);
        offer(&n, "privacy.", keys);
    }
    if (n.key == NULL || (exactly && n.distance > 0))
        return false;
    snprintf(text, size, "%s%s%s", n.path, n.key, n.path[0] == '\0' ? " at the top level" : "");
    return true;
}
