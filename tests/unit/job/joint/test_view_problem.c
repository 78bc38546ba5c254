/* The problem that a master sees is that of the decoded view, value by value; so any algorithm
 * gives on it what it gives there with the same seed, and that is what the sites get. */
/* needs: encrypted-view */
#include "unit/job/view_people.h"

#include "core/error.h"
#include "model/model_distance.h"
#include "protocol/view/view_internal.h"

/* The first holder that has a label, and what it looks like under everyone's encryption. */
static void encrypted(point *out, const joint_scene *s, const view *v, uint32_t j, uint32_t level,
                      const view_label *label)
{
    assert_int_equal(view_crypt_hash(out, party_run_id(v->p), j, level, label, NULL), KITH_OK);
    for (uint32_t i = 0; i < s->n_sites; i++)
        assert_true(ristretto_multiply(out, &s->key[i][j], out));
}

/* label_of[entry] by trying every label that a site has. */
static void decode(const view_label **label_of, const joint_scene *s, const view *v, uint32_t j)
{
    const view_column *c = &v->packet.columns[j];
    memset(label_of, 0, c->n_entries * sizeof *label_of);
    for (uint32_t site = 0; site < s->n_sites; site++) {
        const view_source *source = &s->columns[site].sources[j];
        for (uint32_t level = 0; level < source->n_levels; level++)
            for (uint32_t i = source->start[level]; i < source->start[level + 1]; i++) {
                point p;
                encrypted(&p, s, v, j, level, &source->labels[i]);
                for (uint32_t e = c->start[level]; e < c->start[level + 1]; e++)
                    if (memcmp(&p, &c->entries[e], sizeof p) == 0)
                        label_of[e] = &source->labels[i];
            }
    }
    for (uint32_t e = 0; e < c->n_entries; e++)
        assert_non_null(label_of[e]);
}

static const char *text_of(const view_label *label)
{
    return view_labels_missing(label) ? "" : label->bytes;
}

/* The decoded view as a table, rows in the order of the view. */
static kith_table *decoded_table(const joint_scene *s, const view *v,
                                 const view_label *const label[COLUMNS][256])
{
    static const char *cells[ROWS * COLUMNS];
    kith_table *table = NULL;
    kith_table_options options = study_table_options(s->study);
    options.columns += persons_now; /* the first column says whose the rows are */
    options.n_columns -= persons_now;
    for (uint32_t i = 0; i < v->packet.n_rows; i++)
        for (uint32_t j = 0; j < COLUMNS; j++) {
            const view_column *c = &v->packet.columns[j];
            const view_label *l = label[j][c->codes[i]];
            bool missing = view_labels_missing(l) || c->codes[i] >= c->start[1]; /* a wildcard */
            cells[i * COLUMNS + j] = missing ? NULL : strndup(l->bytes, l->length);
        }
    assert_int_equal(kith_table_from_cells(&table, cells, v->packet.n_rows, &options, NULL),
                     KITH_OK);
    for (uint32_t i = 0; i < v->packet.n_rows * COLUMNS; i++)
        free((char *)(uintptr_t)cells[i]);
    return table;
}

/* The node of a plain hierarchy that an encrypted one stands for. */
static uint32_t plain_node(const kith_hierarchy *h, const tree *t, uint32_t node,
                           const view_label *label)
{
    const uint32_t level = t->level[node];
    for (uint32_t n = h->tree.level_start[level]; n < h->tree.level_start[level + 1]; n++)
        if (strlen(h->label[n]) == strlen(text_of(label)) &&
            memcmp(h->label[n], text_of(label), strlen(h->label[n])) == 0)
            return n;
    fail_msg("no node %s", text_of(label));
    return 0;
}

/* Shape, cells and costs of one attribute are those of the plain one, under the map. */
static void compare_attribute(const view_problem *vp, const prepared *plain, uint32_t j,
                              const view_label *const *label)
{
    const uint32_t a = vp->attribute_of[j];
    const attribute *mine = &vp->problem.attributes[a], *theirs = &plain->problem.attributes[a];
    const kith_hierarchy *h = plain->columns[plain->quasi[a]].hierarchy;
    uint32_t map[256];
    assert_int_equal(mine->tree->n_nodes, theirs->tree->n_nodes);
    assert_int_equal(mine->tree->n_levels, theirs->tree->n_levels);
    for (uint32_t n = 0; n < mine->tree->n_nodes; n++) {
        map[n] = plain_node(h, mine->tree, n, label[vp->trees[j].entry_of[n]]);
        assert_true(fabs(mine->cost[n] - theirs->cost[map[n]]) < 1e-12);
    }
    for (uint32_t n = 0; n < mine->tree->n_nodes; n++)
        assert_int_equal(map[mine->tree->parent[n]], theirs->tree->parent[map[n]]);
    for (uint32_t i = 0; i < vp->problem.n_records; i++)
        assert_int_equal(map[mine->cells[i]], theirs->cells[i]);
}

/* Two numberings of the same values. */
static void compare_sensitive(const sensitive_attribute *mine, const sensitive_attribute *theirs,
                              uint32_t n_records, uint32_t *map)
{
    for (uint32_t i = 0; i < n_records; i++)
        map[mine->values[i]] = theirs->values[i];
    for (uint32_t i = 0; i < n_records; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_int_equal(mine->values[i] == mine->values[k],
                             theirs->values[i] == theirs->values[k]);
}

static void compare_facts(const view_problem *vp, const prepared *plain, uint32_t m)
{
    const model_spec *one = &vp->problem.models[m], *other = &plain->problem.models[m];
    uint32_t map[256];
    if (one->attribute == NULL)
        return;
    const sensitive_attribute *mine = &vp->problem.sensitive[one->sensitive];
    memset(map, 0xff, sizeof map);
    compare_sensitive(mine, &plain->problem.sensitive[other->sensitive], vp->problem.n_records,
                      map);
    assert_int_equal(one->facts->n_records, other->facts->n_records);
    assert_int_equal(one->facts->occurring, other->facts->occurring);
    for (uint32_t a = 0; a < mine->count; a++) {
        if (map[a] == UINT32_MAX)
            continue;
        assert_int_equal(one->facts->overall[a], other->facts->overall[map[a]]);
        assert_int_equal(one->facts->listed == NULL, other->facts->listed == NULL);
        if (one->facts->listed != NULL)
            assert_int_equal(one->facts->listed[a], other->facts->listed[map[a]]);
        for (uint32_t b = 0; b < mine->count && one->variant == VARIANT_HIERARCHICAL; b++)
            if (map[b] != UINT32_MAX)
                assert_true(model_distance(one->facts, one->variant, a, b) ==
                            model_distance(other->facts, other->variant, map[a], map[b]));
    }
}

/* What the sites should get of the engine's result: texts, by decoding its nodes. */
static void expect_rows(lines *out, const view *v, const view_problem *vp, const search_result *r,
                        const view_label *const label[COLUMNS][256])
{
    out->count = v->packet.n_rows;
    for (uint32_t i = 0; i < out->count; i++) {
        size_t at = 0;
        for (uint32_t j = 0; j < COLUMNS; j++) {
            uint32_t entry = v->packet.columns[j].codes[i], a = vp->attribute_of[j];
            if (a != VIEW_NONE)
                entry =
                    vp->trees[j].entry_of[r->partition.closure[(size_t)r->partition.class_of[i] *
                                                                   vp->problem.n_attributes +
                                                               a]];
            const view_label *l = label[j][entry];
            at += (size_t)snprintf(out->row[i] + at, 96 - at, "%.*s|", (int)l->length,
                                   view_labels_missing(l) ? "?" : (const char *)l->bytes);
        }
    }
    qsort(out->row, out->count, sizeof out->row[0], by_text);
}

/* Persons by what the sites call them, counted class by class: what models by persons promise. */
static void count_persons(const view *v, const view_problem *vp, const search_result *r,
                          const view_label *const *name)
{
    const uint32_t n = v->packet.n_rows, *unit = vp->problem.unit;
    const view_column *c = &v->packet.columns[COLUMNS];
    const sensitive_attribute *disease = &vp->problem.sensitive[0];
    for (uint32_t i = 0; i < n; i++) {
        const view_label *own = name[c->codes[i]];
        uint32_t n_persons = 0, n_like = 0; /* in the class of record i, and with its disease */
        for (uint32_t k = 0; k < n; k++) {
            const view_label *other = name[c->codes[k]];
            const bool same =
                own->length == other->length && memcmp(own->bytes, other->bytes, own->length) == 0;
            bool first = true, first_like = true;
            assert_int_equal(unit == NULL ? i == k : unit[i] == unit[k], same);
            if (r->partition.class_of[i] != r->partition.class_of[k])
                continue;
            for (uint32_t b = 0; b < k; b++) {
                const bool before = r->partition.class_of[b] == r->partition.class_of[i] &&
                                    c->codes[b] == c->codes[k];
                first = first && !before;
                first_like = first_like && !(before && disease->values[b] == disease->values[i]);
            }
            n_persons += first;
            n_like += first_like && disease->values[k] == disease->values[i];
        }
        if (r->partition.class_of[i] == PARTITION_SUPPRESSED)
            continue;
        assert_in_range(n_persons, vp->problem.k, n);
        for (uint32_t m = 0; m < vp->problem.n_models; m++)
            if (vp->problem.models[m].variant == VARIANT_FREQUENCY)
                assert_true(n_like * vp->problem.models[m].l <= n_persons);
    }
}

static lines wanted;
static bool checked;

/* At the master: decodes, compares, and runs the engine once on its own. */
static kith_status check_problem(joint_scene *s, view *v, const view_columns *columns, context *c,
                                 kith_error *error)
{
    static const view_label *label[COLUMNS + 1][256];
    view_problem vp;
    prepared plain;
    search_result result;
    kith_study rows = *s->study; /* the same study without persons */
    rows.n_unit = 0;
    TRY(view_problem_make(&vp, s->study, &v->packet, columns, c, error));
    for (uint32_t j = 0; j < v->packet.n_columns; j++)
        decode(label[j], s, v, j);
    kith_table *table = decoded_table(s, v, (const view_label *const(*)[256])label);
    TRY(prepare_table(&plain, &rows, table, c, error));
    for (uint32_t j = 0; j < COLUMNS; j++)
        if (vp.attribute_of[j] != VIEW_NONE)
            compare_attribute(&vp, &plain, j, (const view_label *const *)label[j]);
    for (uint32_t m = 0; m < vp.problem.n_models && !persons_now; m++)
        compare_facts(&vp, &plain, m);
    assert_int_equal(vp.problem.k, plain.problem.k);
    assert_int_equal(vp.problem.may_suppress, plain.problem.may_suppress);
    TRY(search_run(&result, search_find(s->study->algorithm), &vp.problem, &s->study->search, c,
                   error));
    if (persons_now)
        count_persons(v, &vp, &result, label[COLUMNS]);
    expect_rows(&wanted, v, &vp, &result, (const view_label *const(*)[256])label);
    TRY(view_problem_apply(&v->packet, &vp, &result, error));
    kith_table_free(table);
    checked = true;
    return KITH_OK;
}

static kith_status steps(party *p, joint_scene *s, context *c, view **v, kith_error *error)
{
    const uint32_t self = party_self(p);
    view_columns *columns = &s->columns[self];
    view_joint joint;
    view_notes notes = {0};
    view_release released;
    TRY(view_columns_make(columns, p, s->study, s->part[self], c, error));
    view_task task = {.options = &s->study->joint,
                      .n_columns = columns->n_sources,
                      .n_released = columns->count,
                      .columns = columns->sources,
                      .n_rows = columns->n_rows,
                      .tid = columns->tid,
                      .context = c};
    TRY(view_open(v, p, &task, error));
    for (uint32_t j = 0; j < task.n_columns && view_holds(*v); j++)
        s->key[self][j] = (*v)->keys->forth[j];
    TRY(view_gather(*v, &joint, error));
    if (joint.packet != NULL)
        TRY(check_problem(s, *v, columns, c, error));
    TRY(view_reveal(*v, &released, &notes, error));
    if (released.labels == NULL)
        return KITH_OK;
    lines got = {.count = released.n_rows};
    for (uint32_t i = 0; i < got.count; i++) {
        size_t at = 0;
        for (uint32_t j = 0; j < COLUMNS; j++) {
            const view_label *l = &released.labels[j][released.codes[j][i]];
            at += (size_t)snprintf(got.row[i] + at, 96 - at, "%.*s|", (int)l->length,
                                   view_labels_missing(l) ? "?" : (const char *)l->bytes);
        }
    }
    qsort(got.row, got.count, sizeof got.row[0], by_text);
    assert_int_equal(got.count, wanted.count);
    for (uint32_t i = 0; i < got.count; i++)
        assert_string_equal(got.row[i], wanted.row[i]);
    return KITH_OK;
}

static kith_status take_steps(party *p, void *user, kith_error *error)
{
    kith_run run = KITH_OPTIONS(kith_run, .n_threads = 1, .seeded = true, .seed = SEED);
    context c;
    view *v = NULL;
    TRY(context_init(&c, &run, error));
    kith_status status = steps(p, user, &c, &v, error);
    view_close(v);
    context_wipe(&c);
    return status;
}

static void compare(const char *method, const char *model, const char *split, uint32_t n_sites,
                    const char *more, const people *p)
{
    static joint_scene s;
    char *keys = joint_keys(split, n_sites, 1, more);
    kith_study *study = make_study(method, model, keys);
    scene_make(&s, study, p, split, n_sites);
    checked = false;
    assert_int_equal(session_run(s.n_parties, take_steps, &s), KITH_OK);
    assert_true(checked);
    scene_wipe(&s);
    kith_study_free(study);
    free(keys);
}

/* Which of the models an algorithm serves is the algorithm's to say. */
static bool serves(const char *method, const char *model)
{
    kith_study *study = make_study("weave", model, "");
    bool all = true;
    for (uint32_t m = 0; m < study->n_models; m++)
        all = all && search_find(method)->supports_model(&study->models[m]);
    kith_study_free(study);
    return all;
}

static void algorithms_that_draw_lots(void **state)
{
    static const char *const methods[] = {"weave", "sequential", "agglomerative", "k-member"};
    (void)state;
    people *p = make_people(3);
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t m = 0; m < MODELS; m++)
            if (serves(methods[a], models[m]))
                compare(methods[a], models[m], "horizontal", 2, "", p);
    free(p);
}

static void however_the_table_is_split(void **state)
{
    (void)state;
    people *p = make_people(4);
    compare("weave", models[0], "horizontal", 5, "", p);
    compare("sequential", models[1], "vertical", 3, "", p);
    compare("agglomerative", models[6], "hybrid", 4, "", p);
    compare("weave", models[10], "vertical", 2, "missing: wildcard\n", p);
    free(p);
}

static void whatever_is_minimized(void **state)
{
    static const char *const measures[] = {"em", "entropy", "tree", "mi", "pmi", "wmi"};
    (void)state;
    people *p = make_people(5);
    for (uint32_t i = 0; i < 6; i++) {
        char more[64];
        snprintf(more, sizeof more, "utility: {measure: %s%s}\n", measures[i],
                 i == 5 ? ", w: 0.4" : "");
        compare("sequential", models[0], "horizontal", 2, more, p);
    }
    free(p);
}

/* The master counts persons of all sites as they are. */
static void persons_are_counted_over_all_sites(void **state)
{
    static const char *const methods[] = {"weave", "agglomerative", "flash", "top-down"};
    static const char *const overlaps[] = {"unit: id\noverlap: matched\n", "unit: id\n"};
    (void)state;
    people *p = make_people(6);
    persons_now = true;
    for (uint32_t i = 0; i < ROWS; i++)
        snprintf(p->cell[i][0], CELL, "p%u", i * 7 % 41);
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t o = 0; o < 2; o++) {
            char more[96];
            snprintf(more, sizeof more, "%s%s", overlaps[o],
                     a < 2 ? "" : "utility: {suppression: 0}\n");
            compare(methods[a], models[0], "horizontal", 2 + 3 * o, more, p);
            compare(methods[a], models[3], "horizontal", 3, more, p);
        }
    persons_now = false;
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(algorithms_that_draw_lots),
        cmocka_unit_test(however_the_table_is_split),
        cmocka_unit_test(whatever_is_minimized),
        cmocka_unit_test(persons_are_counted_over_all_sites),
    };
    return sodium_init() < 0 ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
