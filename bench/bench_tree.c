/* The joint tree on both Adult tables and on generated records, all sites in this process: loss
 * against the tree of the union in one place, calls, rounds, bytes, seconds.
 *
 * usage: bench_tree [DIRECTORY] [adult] [large] [delay] [models] [diversity] [audit] [generated]
 *        [quiet] [specialised] [m=M]
 *        [k=K] [others=F] [first=P] [by=A] [party=I] [records=N] [reweave=R] [only=D]
 *
 * DIRECTORY or $ADULT holds adult-uci/ and adult-arx/. Without words: adult. `large`: records drawn
 * from the ARX form, 1,000,000 unless said otherwise; `delay`: every frame takes 30 ms; `models`:
 * other models than k-anonymity; `audit`: what can be deduced from the opened bits, by somebody
 * without records and by party I (0 unless said otherwise); `diversity`: l-diversity of the
 * occupation in several forms, or the D-th alone; `specialised`: three quarters of each sensitive
 * value at one site; `generated`: the audit of a table that is made up; `quiet`: all of these with
 * the option of that name. `others`: k of m-privacy, 3 unless said otherwise. Records are
 * distributed at random, with `first` P percent of them to party 0, or with `by` to sites that
 * share no value of attribute A. */
/* needs: weave */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adult.h"
#include "reference/joint_tree_plain.h"
#include "support/random_problem.h"
#include "tree_run.h"

static const uint32_t usual[] = {5, 10, 50, 100};

static double union_loss(const problem *p, const tree_wishes *w)
{
    arena *memory = arena_new();
    const model_spec m_privacy = {.id = MODEL_M_PRIVACY, .k = w->others};
    const joint_tree_plain_sites sites = {w->m, tree_run_sites(p, w, memory), 1, &m_privacy,
                                          w->quiet};
    partition whole;
    kith_error error;
    tree_run_stop_on(joint_tree_plain(&whole, p, &sites, 1, w->reweave, memory, &error), &error);
    double loss = partition_cost(&whole, p) / p->n_records / p->n_attributes;
    arena_free(memory);
    return loss;
}

static protocol_options options_of(const tree_wishes *w)
{
    return (protocol_options){.min_others = w->others, .reweave = w->reweave, .quiet = w->quiet};
}

static void bench_adult(problem *p, const tree_wishes *w, arena *memory)
{
    for (int i = 0; i < 4; i++) {
        if (w->k != 0 && w->k != usual[i])
            continue;
        adult_ask(p, usual[i], 0, memory);
        const protocol_options options = options_of(w);
        double joint = tree_run(p, w, &options, false);
        double whole = union_loss(p, w);
        if (joint - whole > 1e-9 || whole - joint > 1e-9)
            printf("        the tree of the union: lm %.5f, %.2e apart\n", whole, joint - whole);
    }
}

static void bench_audit(problem *p, const tree_wishes *w, arena *memory)
{
    const uint32_t k = w->k == 0 ? 10 : w->k;
    const protocol_options options = options_of(w);
    adult_ask(p, k, 0, memory);
    tree_run(p, w, &options, true);
}

/* The audit of a table that everybody can make. */
static void bench_generated(const tree_wishes *w)
{
    arena *memory = arena_new();
    const random_shape shape = {.n_records = 20000,
                                .n_attributes = 6,
                                .max_leaves = 60,
                                .max_levels = 4,
                                .k = w->k == 0 ? 10 : w->k,
                                .skewed = true};
    const protocol_options options = options_of(w);
    tree_run(random_problem(&shape, 2026, memory), w, &options, true);
    arena_free(memory);
}

static void bench_models(problem *p, const tree_wishes *w, arena *memory)
{
    const uint32_t k = w->k == 0 ? 10 : w->k;
    model_spec sites = {.id = MODEL_L_SITE_DIVERSITY, .variant = VARIANT_SITES, .l = 2};
    const protocol_options plain = options_of(w);
    protocol_options options = plain;
    adult_ask(p, k, 2, memory);
    puts("l-diversity (frequency), l = 2");
    tree_run(p, w, &plain, false);
    ((model_spec *)p->models)[1].variant = VARIANT_DISTINCT;
    puts("l-diversity (distinct), l = 2");
    tree_run(p, w, &plain, false);
    adult_ask(p, k, 3, memory);
    puts("l-diversity (frequency), l = 3");
    tree_run(p, w, &plain, false);
    adult_ask(p, k, 0, memory);
    puts("l-site-diversity (sites), l = 2");
    options.n_site_models = 1;
    options.site_models = &sites;
    tree_run(p, w, &options, false);
    for (uint32_t others = 0; others <= k; others = others == 0 ? 2 : 2 * others - others % 2) {
        printf("m-privacy, k = %u\n", others);
        options = plain;
        options.min_others = others;
        tree_run(p, w, &options, false);
    }
    puts("blur");
    options = plain;
    options.blur = true;
    tree_run(p, w, &options, false);
}

static void bench_diversity(problem *p, const tree_wishes *w, arena *memory)
{
    static const struct {
        const char *name;
        model_spec model;
    } asked[] = {
        {"k alone", {MODEL_K_ANONYMITY, .k = 2}},
        {"frequency, l = 2", {MODEL_L_DIVERSITY, VARIANT_FREQUENCY, .l = 2}},
        {"frequency, l = 3", {MODEL_L_DIVERSITY, VARIANT_FREQUENCY, .l = 3}},
        {"frequency, l = 4", {MODEL_L_DIVERSITY, VARIANT_FREQUENCY, .l = 4}},
        {"distinct, l = 3", {MODEL_L_DIVERSITY, VARIANT_DISTINCT, .l = 3}},
        {"distinct, l = 5", {MODEL_L_DIVERSITY, VARIANT_DISTINCT, .l = 5}},
        {"alpha-k, alpha = 0.3", {MODEL_ALPHA_K, .alpha = .3, .k = 10}},
        {"entropy, l = 3", {MODEL_L_DIVERSITY, VARIANT_ENTROPY, .l = 3}},
        {"recursive, l = 3, c = 2", {MODEL_L_DIVERSITY, VARIANT_RECURSIVE, .l = 3, .c = 2}}};
    const protocol_options options = options_of(w);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        if (w->only > 0 && w->only != i + 1)
            continue;
        adult_ask(p, w->k == 0 ? 10 : w->k, 2, memory);
        ((model_spec *)p->models)[1] = asked[i].model;
        puts(asked[i].name);
        tree_run(p, w, &options, false);
    }
}

static tree_wishes read_wishes(int argc, char **argv)
{
    tree_wishes w = {.directory = getenv("ADULT"),
                     .m = 5,
                     .n_records = 1000000,
                     .others = PROTOCOL_MIN_OTHERS,
                     .by = UINT32_MAX};
    const struct {
        const char *name;
        uint32_t *to;
    } numbers[] = {{"m=", &w.m},
                   {"k=", &w.k},
                   {"reweave=", &w.reweave},
                   {"records=", &w.n_records},
                   {"others=", &w.others},
                   {"first=", &w.first},
                   {"by=", &w.by},
                   {"party=", &w.party},
                   {"only=", &w.only}};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "adult") == 0)
            w.adult = true;
        else if (strcmp(argv[i], "large") == 0)
            w.large = true;
        else if (strcmp(argv[i], "delay") == 0)
            w.delay = true;
        else if (strcmp(argv[i], "models") == 0)
            w.models = true;
        else if (strcmp(argv[i], "diversity") == 0)
            w.diversity = true;
        else if (strcmp(argv[i], "specialised") == 0)
            w.specialised = true;
        else if (strcmp(argv[i], "audit") == 0)
            w.audit = true;
        else if (strcmp(argv[i], "generated") == 0)
            w.generated = true;
        else if (strcmp(argv[i], "quiet") == 0)
            w.quiet = true;
        else if (strchr(argv[i], '=') == NULL)
            w.directory = argv[i];
        for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
            if (strncmp(argv[i], numbers[n].name, strlen(numbers[n].name)) == 0)
                *numbers[n].to = (uint32_t)atoi(argv[i] + strlen(numbers[n].name));
    }
    if (!w.large && !w.models && !w.diversity && !w.audit && !w.generated)
        w.adult = true;
    return w;
}

int main(int argc, char **argv)
{
    tree_wishes w = read_wishes(argc, argv);
    if (w.generated) {
        bench_generated(&w);
        return 0;
    }
    if (w.directory == NULL) {
        puts("bench_tree: skipped, no data (give the directory of the Adult tables)");
        return 0;
    }
    arena *memory = arena_new();
    problem *arx = adult_arx(memory, w.directory, MEASURE_LM, 5);
    if (w.adult) {
        bench_adult(arx, &w, memory);
        bench_adult(adult_uci(memory, w.directory, MEASURE_LM, 5), &w, memory);
    }
    if (w.audit)
        bench_audit(arx, &w, memory);
    if (w.models)
        bench_models(arx, &w, memory);
    if (w.diversity)
        bench_diversity(arx, &w, memory);
    if (w.large) {
        adult_ask(arx, w.k == 0 ? 10 : w.k, 0, memory);
        const protocol_options options = options_of(&w);
        tree_run(adult_enlarge(arx, w.n_records, memory), &w, &options, false);
    }
    arena_free(memory);
    return 0;
}
