#include "study/party_file.h"

#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/findings.h"
#include "study/schema.h"
#include "study/yaml_text.h"

enum { NAME, ADDRESS, KEY, COLUMNS };

static const yaml_key keys[] = {
    [NAME] = {"name", true, NULL}, [ADDRESS] = {"address", true, NULL},
    [KEY] = {"key", true, NULL},   [COLUMNS] = {"columns", false, NULL},
    {NULL, false, NULL},
};

static void copy_columns(FILE *out, study_draft *d, const yaml_node_t *node)
{
    const size_t count = yaml_walk_count(d->walk, node, "columns");
    fputs(", columns: [", out);
    for (size_t i = 0; i < count; i++) {
        const char *name;
        if (!yaml_walk_text(d->walk, yaml_walk_item(d->walk, node, i), "columns", &name))
            continue;
        fputs(i == 0 ? "" : ", ", out);
        yaml_text_put(out, name);
    }
    fputc(']', out);
}

static void copy_party(FILE *out, study_draft *d, const yaml_node_t *node)
{
    const yaml_node_t *values[YAML_WALK_KEYS];
    const char *name = NULL, *address = NULL, *key = NULL;
    yaml_walk_map(d->walk, node, "a party", keys, values);
    schema_parties_name(d, values[NAME], &name);
    schema_parties_address(d, values[ADDRESS], &address);
    schema_parties_key(d, values[KEY], &key);
    if (name == NULL || address == NULL || key == NULL)
        return; /* which has been reported */
    fputs("  - {name: ", out);
    yaml_text_put(out, name);
    fputs(", address: ", out);
    yaml_text_put(out, address);
    fprintf(out, ", key: \"%s\"", key);
    if (values[COLUMNS] != NULL)
        copy_columns(out, d, values[COLUMNS]);
    fputs("}\n", out);
}

static kith_status copy(FILE *out, const char *path, const char *text, size_t length, arena *memory,
                        kith_findings *findings, kith_error *error)
{
    study_draft d = {.walk = NULL};
    const yaml_node_t *root = NULL;
    TRY(yaml_walk_parse(&d.walk, &root, memory, path, text, length, findings, error));
    if (root != NULL && yaml_walk_is_map(root))
        copy_party(out, &d, root);
    else if (root != NULL)
        for (size_t i = 0, count = yaml_walk_count(d.walk, root, "a file of parties"); i < count;
             i++)
            copy_party(out, &d, yaml_walk_item(d.walk, root, i));
    return d.walk->nomem ? error_nomem(error) : KITH_OK;
}

kith_status party_file_copy(FILE *out, const char *path, arena *memory, kith_findings *findings,
                            kith_error *error)
{
    char *text = NULL;
    size_t length = 0;
    const size_t before = kith_findings_n_problems(findings);
    TRY(study_read_file(&text, &length, path, error));
    kith_status status = copy(out, path, text, length, memory, findings, error);
    free(text);
    TRY(status);
    return findings_status(findings, before, KITH_INVALID, error);
}
