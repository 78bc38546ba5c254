#include "study/schema/party_file.h"

#include <stdlib.h>

#include "core/error.h"
#include "core/findings.h"
#include "study/schema/schema.h"
#include "study/yaml/yaml_text.h"

static void read_party(study_draft *d, const yaml_node_t *node, party_line *to)
{
    const yaml_node_t *values[YAML_WALK_KEYS], *list;
    *to = (party_line){.name = NULL};
    yaml_walk_map(d->walk, node, "a party", schema_parties_keys, values);
    schema_parties_name(d, values[PARTY_NAME], &to->name);
    schema_parties_address(d, values[PARTY_ADDRESS], &to->address);
    schema_parties_key(d, values[PARTY_KEY], &to->key);
    if ((list = values[PARTY_COLUMNS]) == NULL)
        return;
    const size_t count = yaml_walk_count(d->walk, list, "columns");
    const char **columns = yaml_walk_alloc(d->walk, count + 1, sizeof *columns);
    for (size_t i = 0; columns != NULL && i < count; i++)
        to->n_columns += yaml_walk_text(d->walk, yaml_walk_item(d->walk, list, i), "columns",
                                        &columns[to->n_columns]);
    to->columns = columns;
}

static kith_status parse(party_line **lines, size_t *n_lines, const char *path, const char *text,
                         size_t length, arena *memory, kith_findings *findings, kith_error *error)
{
    study_draft d = {.walk = NULL};
    const yaml_node_t *root = NULL;
    TRY(yaml_walk_parse(&d.walk, &root, memory, path, text, length, findings, error));
    if (root == NULL)
        return d.walk->nomem ? error_nomem(error) : KITH_OK;
    const bool single = yaml_walk_is_map(root);
    const size_t count = single ? 1 : yaml_walk_count(d.walk, root, "a file of parties");
    party_line *all = TRY_ZEROS(all, memory, count + 1, error);
    for (size_t i = 0; i < count; i++)
        read_party(&d, single ? root : yaml_walk_item(d.walk, root, i), &all[i]);
    *lines = all;
    *n_lines = count;
    return d.walk->nomem ? error_nomem(error) : KITH_OK;
}

kith_status party_file_read(party_line **lines, size_t *n_lines, const char *path, arena *memory,
                            kith_findings *findings, kith_error *error)
{
    char *text = NULL;
    size_t length = 0;
    const size_t before = kith_findings_n_problems(findings);
    *lines = NULL;
    *n_lines = 0;
    TRY(study_read_file(&text, &length, path, error));
    const kith_status status = parse(lines, n_lines, path, text, length, memory, findings, error);
    free(text);
    TRY(status);
    return findings_status(findings, before, KITH_INVALID, error);
}

kith_status party_file_copy(FILE *out, const char *path, arena *memory, kith_findings *findings,
                            kith_error *error)
{
    party_line *lines;
    size_t n_lines;
    TRY(party_file_read(&lines, &n_lines, path, memory, findings, error));
    for (const party_line *party = lines; party < lines + n_lines; party++) {
        fputs("  - {name: ", out);
        yaml_text_put(out, party->name);
        fputs(", address: ", out);
        yaml_text_put(out, party->address);
        fprintf(out, ", key: \"%s\"", party->key);
        if (party->columns != NULL) {
            fputs(", columns: [", out);
            for (size_t i = 0; i < party->n_columns; i++) {
                fputs(i == 0 ? "" : ", ", out);
                yaml_text_put(out, party->columns[i]);
            }
            fputs("]", out);
        }
        fputs("}\n", out);
    }
    return KITH_OK;
}
