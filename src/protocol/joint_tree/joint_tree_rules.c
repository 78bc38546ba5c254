#include "protocol/joint_tree/joint_tree_rules.h"

#include <math.h>
#include <sodium.h>
#include <string.h>

#include "core/error.h"
#include "crypto/secret_memory.h"
#include "protocol/supports.h"
#include "smc/at_least.h"

enum {
    BLUR_SHARE = 8,     /* thresholds rise by up to k / 8 */
    TAGS_MOST = 16,     /* thresholds up to which asking for every refused value is cheapest */
    FRACTION = 1 << 12, /* l-diversity with an l that is no integer is rounded up to this */
};

/* --- conditions --- */

static uint32_t components_of(const tree_rules *r, const tree_condition *c)
{
    if (c->model == NULL || c->model->id == MODEL_L_SITE_DIVERSITY)
        return 1;
    return c->model->id == MODEL_M_PRIVACY ? r->parties : c->values;
}

static void add_condition(tree_rules *r, const model_spec *model, const problem *p)
{
    tree_condition *c = &r->condition[r->conditions];
    *c = (tree_condition){.model = model};
    if (model != NULL && model->id == MODEL_L_DIVERSITY) {
        c->values = p->secret[model->sensitive].count;
        if (r->offset[model->sensitive] == 0) {
            r->offset[model->sensitive] = r->width;
            r->width += c->values;
        }
        c->offset = r->offset[model->sensitive];
        c->scale = model->l == floor(model->l) ? 1 : FRACTION;
        c->times = (int64_t)ceil(model->l * (double)c->scale);
        r->grows = r->grows && model->variant == VARIANT_DISTINCT;
    }
    size_t size = components_of(r, c), need = size;
    if (model != NULL && model->variant == VARIANT_DISTINCT)
        need = (size_t)ceil(model->l);
    r->block[r->conditions++] = (compare_block){size, need};
    r->components += size;
}

/* Whether a set can meet it at all, whatever its records. */
static kith_status check_reachable(const tree_rules *r, kith_error *error)
{
    for (uint32_t i = 0; i < r->conditions; i++) {
        const tree_condition *c = &r->condition[i];
        if (c->model == NULL || c->model->id == MODEL_M_PRIVACY)
            continue;
        uint32_t most = c->model->id == MODEL_L_DIVERSITY ? c->values : r->parties;
        if (c->model->l > most)
            return error_set(
                error, KITH_INFEASIBLE, "%s with l = %g cannot be met: the number of %s is %u",
                model_name(c->model->id), c->model->l,
                c->model->id == MODEL_L_DIVERSITY ? "sensitive values" : "sites", most);
    }
    return KITH_OK;
}

static kith_status add_models(tree_rules *r, const model_spec *model, uint32_t models,
                              const problem *p, kith_error *error)
{
    for (uint32_t m = 0; m < models; m++) {
        if (!supports_joint_tree(&model[m]))
            return error_set(error, KITH_INVALID, "the joint tree cannot keep %s%s%s",
                             model_name(model[m].id), model[m].variant == VARIANT_NONE ? "" : ", ",
                             model_variant_name(model[m].variant));
        if (model[m].id == MODEL_K_ANONYMITY || model[m].variant == VARIANT_ATTRIBUTES ||
            (model[m].id == MODEL_L_DIVERSITY && model[m].l <= 1))
            continue;
        add_condition(r, &model[m], p);
    }
    return KITH_OK;
}

kith_status tree_rules_init(tree_rules *r, const problem *p, const protocol_options *o, party *me,
                            arena *memory, kith_error *error)
{
    const size_t most = 1 + (size_t)p->models + o->site_models;
    unsigned char key[PARTY_KEY_BYTES];
    *r = (tree_rules){.parties = party_count(me), .self = party_self(me), .k = p->k, .width = 1};
    r->grows = true;
    r->most = (int64_t)UINT32_MAX * r->parties;
    r->slack = o->blur ? p->k / BLUR_SHARE : 0;
    party_key(me, r->self, "tree blur", key);
    memcpy(r->blur_key, key, sizeof r->blur_key);
    secret_memory_wipe(key, sizeof key);
    r->offset = TRY_ALLOC(arena_zalloc(memory, p->secrets, sizeof *r->offset), error);
    r->condition = TRY_ALLOC(arena_zalloc(memory, most, sizeof *r->condition), error);
    r->block = TRY_ALLOC(arena_zalloc(memory, most, sizeof *r->block), error);
    add_condition(r, NULL, p);
    TRY(add_models(r, p->model, p->models, p, error));
    TRY(add_models(r, o->site_model, o->site_models, p, error));
    return check_reachable(r, error);
}

/* --- questions --- */

/* What this party takes off its count of a set: always the same for the same set, and over all
 * parties at most `slack`. Which parties may take off one more than others rotates. */
static uint32_t blur_of(const tree_rules *r, uint64_t name)
{
    unsigned char in[sizeof name], out[crypto_shorthash_BYTES];
    uint64_t drawn;
    if (r->slack == 0)
        return 0;
    uint32_t turn = (uint32_t)((name >> 32) + r->self) % r->parties;
    uint32_t most = r->slack / r->parties + (turn < r->slack % r->parties);
    memcpy(in, &name, sizeof in);
    crypto_shorthash(out, in, sizeof in, r->blur_key);
    memcpy(&drawn, out, sizeof drawn);
    return (uint32_t)(drawn % (most + 1));
}

static int64_t cut(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

/* Numbers beyond the threshold decide alone; cut there, they keep the circuit small. */
static void fill_condition(const tree_rules *r, const tree_condition *c, int64_t *value,
                           int64_t *least, const uint32_t *tally)
{
    const int64_t size = tally[0];
    const uint32_t n = components_of(r, c);
    for (uint32_t i = 0; i < n; i++) {
        if (c->model->id == MODEL_M_PRIVACY) {
            value[i] = i == r->self ? 0 : cut(size, c->model->k);
            least[i] = c->model->k;
        } else if (c->model->id == MODEL_L_SITE_DIVERSITY) {
            value[i] = size > 0;
            least[i] = (int64_t)ceil(c->model->l);
        } else if (c->model->variant == VARIANT_DISTINCT) {
            value[i] = tally[c->offset + i] > 0;
            least[i] = 1;
        } else {
            value[i] = c->scale * size - c->times * (int64_t)tally[c->offset + i];
            least[i] = 0;
        }
    }
}

static int64_t bound_of(const tree_rules *r, int64_t largest)
{
    int64_t bound = r->parties * (largest + r->slack);
    for (uint32_t i = 0; i < r->conditions; i++) {
        const tree_condition *c = &r->condition[i];
        int64_t needed = 0;
        if (c->model == NULL)
            continue;
        if (c->model->id == MODEL_M_PRIVACY)
            needed = (int64_t)r->parties * c->model->k;
        else if (c->model->variant == VARIANT_FREQUENCY)
            needed = r->most * (c->scale > c->times ? c->scale : c->times);
        bound = needed > bound ? needed : bound;
    }
    return bound;
}

kith_status tree_rules_ask(const tree_rules *r, party *p, uint64_t *bits, const tree_questions *q,
                           kith_error *error)
{
    arena *scratch = TRY_ALLOC(arena_new(), error);
    const size_t numbers = q->count * r->components;
    int64_t *value = arena_array(scratch, numbers, sizeof *value);
    int64_t *least = arena_array(scratch, numbers, sizeof *least);
    if (value == NULL || least == NULL) {
        arena_free(scratch);
        return error_nomem(error);
    }
    int64_t largest = r->k;
    for (size_t i = 0; i < q->count; i++) {
        const uint32_t *tally = q->tally + i * r->width;
        const int64_t wanted = q->least == NULL ? r->k : q->least[i];
        int64_t *to = value + i * r->components, *at = least + i * r->components;
        largest = wanted > largest ? wanted : largest;
        *to++ = cut(tally[0], wanted + r->slack) - (q->exact ? 0 : (int64_t)blur_of(r, q->name[i]));
        *at++ = wanted;
        for (uint32_t c = 1; c < r->conditions; c++) {
            fill_condition(r, &r->condition[c], to, at, tally);
            to += r->block[c].size;
            at += r->block[c].size;
        }
    }
    const bool tags = r->conditions == 1 && r->k <= TAGS_MOST && largest <= 4 * TAGS_MOST &&
                      at_least_fits(r->parties, (uint32_t)largest, r->slack);
    const smc_output output = {SMC_ALL, NULL};
    const at_least_sums counts = {value, least, q->count, r->slack};
    const compare_sums sums = {value,    least,         q->count,
                               r->block, r->conditions, bound_of(r, largest)};
    kith_status status = tags ? at_least(p, bits, &counts, output, error)
                              : compare_thresholds(p, bits, &sums, output, error);
    arena_free(scratch);
    return status;
}
