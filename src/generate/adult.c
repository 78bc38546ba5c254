/* Profile `adult`: the columns, domains and rough shares of the UCI Adult census table, drawn anew.
 *
 *   band -> age, education; band, sex -> marital-status; marital-status, sex, band -> relationship;
 *   education -> education-num, workclass, capital-gain; education, sex -> occupation;
 *   band, sex -> hours-per-week; race -> native-country; education, marital-status, band ->
 *   salary-class. */
#include <stdio.h>

#include "generate/countries.h"
#include "generate/network.h"
#include "generate/studies.h"

enum {
    BAND,
    SEX,
    RACE,
    AGE,
    EDUCATION,
    EDUCATION_NUM,
    WORKCLASS,
    FNLWGT,
    MARITAL,
    RELATIONSHIP,
    OCCUPATION,
    HOURS,
    COUNTRY,
    GAIN,
    LOSS,
    SALARY,
    NODES
};
enum { BANDS = 7, AGES = 74, GAINS = 119, LOSSES = 92, HOUR_VALUES = 99 };
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* Groups of ages, named by their first year. A group is drawn first, then an age in it: other
 * variables depend on the group, since tables for single years would be ten times as large. */
static const value bands[BANDS] = {{"17", 94, {0}},  {"22", 120, {0}}, {"27", 265, {0}},
                                   {"37", 237, {0}}, {"47", 160, {0}}, {"57", 88, {0}},
                                   {"67", 36, {0}}};
static const uint32_t band_begin[BANDS + 1] = {17, 22, 27, 37, 47, 57, 67, 91};

static const value sexes[] = {{"Male", 67, {0}}, {"Female", 33, {0}}};
static const value races[] = {{"White", 8540, {0}},
                              {"Black", 960, {0}},
                              {"Asian-Pac-Islander", 310, {0}},
                              {"Amer-Indian-Eskimo", 100, {0}},
                              {"Other", 90, {0}}};
enum { MALE, FEMALE };
enum { WHITE, BLACK, ASIAN, ESKIMO, OTHER };

static void format_age(uint32_t code, char text[NETWORK_TEXT + 1])
{
    snprintf(text, NETWORK_TEXT + 1, "%u", 17 + code);
}

/* Even within the young groups, falling within the middle ones, and fewer and fewer after 67. */
static uint32_t weigh_age(uint32_t code, const uint32_t *parents)
{
    uint32_t age = 17 + code, band = parents[0];
    if (age < band_begin[band] || age >= band_begin[band + 1])
        return 0;
    uint32_t left = band_begin[band + 1] - age;
    return band < 3 ? 100 : band < 6 ? 60 + 4 * left : 10 * left * left;
}

/* In the order of education-num. */
static const value educations[] = {
    {"Preschool", 2, {"Primary", "Without diploma"}},
    {"1st-4th", 5, {"Primary", "Without diploma"}},
    {"5th-6th", 10, {"Primary", "Without diploma"}},
    {"7th-8th", 20, {"Primary", "Without diploma"}},
    {"9th", 16, {"Secondary", "Without diploma"}},
    {"10th", 28, {"Secondary", "Without diploma"}},
    {"11th", 36, {"Secondary", "Without diploma"}},
    {"12th", 13, {"Secondary", "Without diploma"}},
    {"HS-grad", 322, {"High school", "With diploma"}},
    {"Some-college", 224, {"College", "With diploma"}},
    {"Assoc-voc", 42, {"College", "With diploma"}},
    {"Assoc-acdm", 33, {"College", "With diploma"}},
    {"Bachelors", 164, {"Bachelor", "Academic"}},
    {"Masters", 53, {"Graduate", "Academic"}},
    {"Prof-school", 18, {"Graduate", "Academic"}},
    {"Doctorate", 13, {"Graduate", "Academic"}},
};
enum { HS_GRAD = 8, SOME_COLLEGE = 9, BACHELORS = 12, MASTERS = 13 };

/* Young people have not finished yet, and the old went to school for fewer years. */
static uint32_t weigh_education(uint32_t education, const uint32_t *parents)
{
    uint32_t weight = educations[education].weight * 20, band = parents[0];
    if (band == 0)
        return education >= BACHELORS                  ? weight / 40
               : education >= 4 && education < HS_GRAD ? weight * 4
               : education == SOME_COLLEGE             ? weight * 2
                                                       : weight;
    if (band == 1 && education >= MASTERS)
        return weight / 5;
    if (band >= 5)
        return education < 6 ? weight * 3 : education < MASTERS ? weight * 3 / 4 : weight * 5 / 4;
    return education < 6 ? weight * 3 / 4 : weight;
}

static void format_number(uint32_t code, char text[NETWORK_TEXT + 1])
{
    snprintf(text, NETWORK_TEXT + 1, "%u", 1 + code);
}

/* education-num says the same as education, as in the original table. */
static uint32_t weigh_same(uint32_t code, const uint32_t *parents)
{
    return code == parents[0];
}

static const value workclasses[] = {
    {"Private", 7380, {"Employed", "Working"}},
    {"Self-emp-not-inc", 830, {"Self-employed", "Working"}},
    {"Self-emp-inc", 355, {"Self-employed", "Working"}},
    {"Federal-gov", 310, {"Government", "Working"}},
    {"Local-gov", 680, {"Government", "Working"}},
    {"State-gov", 425, {"Government", "Working"}},
    {"Without-pay", 5, {"Unpaid", "Not working"}},
    {"Never-worked", 2, {"Unpaid", "Not working"}},
};

/* Academics work for the government and for themselves more often than others. */
static uint32_t weigh_workclass(uint32_t workclass, const uint32_t *parents)
{
    uint32_t weight = workclasses[workclass].weight * 10;
    bool government = workclass >= 3 && workclass <= 5, own = workclass == 1 || workclass == 2;
    if (parents[0] < MASTERS)
        return parents[0] == BACHELORS && government ? weight * 5 / 4
               : parents[0] < HS_GRAD && government  ? weight / 2
                                                     : weight;
    return government ? weight * 2 : own ? weight * 3 / 2 : weight * 3 / 4;
}

/* The census weight is nearly unique for each person; it is drawn evenly from ranges with the
 * shares of the original. */
static const uint32_t fnlwgt_bounds[] = {12285,  50000,  100000, 120000, 160000, 180000,
                                         200000, 240000, 280000, 350000, 450000, 1484705};
static const value fnlwgt_shares[] = {
    {"", 75, {0}},  {"", 95, {0}}, {"", 110, {0}}, {"", 150, {0}}, {"", 120, {0}}, {"", 125, {0}},
    {"", 125, {0}}, {"", 70, {0}}, {"", 80, {0}},  {"", 40, {0}},  {"", 10, {0}}};

static const value maritals[] = {
    {"Married-civ-spouse", 460, {"Spouse present"}},
    {"Never-married", 330, {"Spouse not present"}},
    {"Divorced", 136, {"Spouse not present"}},
    {"Separated", 31, {"Spouse not present"}},
    {"Widowed", 31, {"Spouse not present"}},
    {"Married-spouse-absent", 13, {"Spouse not present"}},
    {"Married-AF-spouse", 1, {"Spouse present"}},
};
enum { MARRIED, NEVER, DIVORCED, SEPARATED, WIDOWED, ABSENT, ARMED };

/* Marriage depends on age most; the divorced and widowed are more often women, as in the original,
 * whose men are mostly husbands. */
static uint32_t weigh_marital(uint32_t marital, const uint32_t *parents)
{
    /* Per cent of the overall share, by band: married, never married, the formerly married. */
    static const uint16_t factor[BANDS][3] = {{8, 300, 8},    {55, 210, 35},  {105, 95, 90},
                                              {135, 40, 150}, {145, 22, 160}, {150, 15, 130},
                                              {125, 15, 110}};
    uint32_t kind = marital == MARRIED || marital == ARMED ? 0 : marital == NEVER ? 1 : 2;
    uint32_t weight = maritals[marital].weight * factor[parents[0]][kind];
    if (marital == WIDOWED)
        weight = weight * (1 + parents[0] * parents[0]) / 14;
    if (parents[1] == FEMALE)
        return kind == 0 ? weight / 4 : kind == 2 ? weight * 2 : weight * 4 / 3;
    return kind == 0 ? weight * 4 / 3 : kind == 2 ? weight * 2 / 3 : weight;
}

enum { HUSBAND, WIFE, OWN_CHILD, NOT_IN_FAMILY, UNMARRIED };
static const value relationships[] = {{"Husband", 0, {0}},   {"Wife", 0, {0}},
                                      {"Own-child", 0, {0}}, {"Not-in-family", 0, {0}},
                                      {"Unmarried", 0, {0}}, {"Other-relative", 0, {0}}};

/* Husbands and wives are the married of each sex; who never married lives with parents while
 * young. */
static uint32_t weigh_relationship(uint32_t relationship, const uint32_t *parents)
{
    static const uint16_t never[BANDS] = {3200, 1100, 350, 200, 150, 80, 20};
    bool married = parents[0] == MARRIED || parents[0] == ARMED, young = parents[2] == 0;
    switch (relationship) {
    case HUSBAND: return married && parents[1] == MALE ? 1000 : 0;
    case WIFE: return married && parents[1] == FEMALE ? 1000 : 0;
    case OWN_CHILD: return married ? 10 : parents[0] == NEVER ? never[parents[2]] : 70;
    case NOT_IN_FAMILY: return married ? 2 : 550;
    case UNMARRIED: return married ? 0 : parents[0] == NEVER ? (young ? 20 : 90) : 450;
    default: return married ? 12 : 45; /* OTHER_RELATIVE */
    }
}

static const value occupations[] = {
    {"Craft-repair", 133, {"Technical"}},
    {"Prof-specialty", 134, {"Professional"}},
    {"Exec-managerial", 132, {"Professional"}},
    {"Adm-clerical", 123, {"Clerical"}},
    {"Sales", 119, {"Clerical"}},
    {"Other-service", 107, {"Service"}},
    {"Machine-op-inspct", 65, {"Manual"}},
    {"Transport-moving", 51, {"Manual"}},
    {"Handlers-cleaners", 45, {"Manual"}},
    {"Farming-fishing", 33, {"Manual"}},
    {"Tech-support", 30, {"Technical"}},
    {"Protective-serv", 21, {"Service"}},
    {"Priv-house-serv", 5, {"Service"}},
    {"Armed-Forces", 1, {"Service"}},
};

/* Education and sex, which the original shows to matter most. */
static uint32_t weigh_occupation(uint32_t occupation, const uint32_t *parents)
{
    /* Per cent of the overall share: without diploma, high school and college, academic; women. */
    static const uint16_t factor[COUNT(occupations)][4] = {
        {130, 125, 25, 15},  {5, 40, 330, 110},   {25, 75, 200, 85},   {40, 125, 60, 240},
        {60, 105, 110, 100}, {200, 110, 35, 190}, {220, 105, 15, 80},  {180, 110, 15, 15},
        {200, 110, 15, 35},  {200, 90, 45, 20},   {15, 120, 105, 115}, {40, 115, 80, 35},
        {300, 80, 15, 900},  {20, 130, 60, 5}};
    uint32_t level = parents[0] < HS_GRAD ? 0 : parents[0] < BACHELORS ? 1 : 2;
    uint32_t weight = occupations[occupation].weight * factor[occupation][level];
    return parents[1] == FEMALE ? weight * factor[occupation][3] / 100 : weight;
}

/* Forty is by far the most frequent answer, round numbers come next. The youngest and the oldest,
 * and women of that time, work part time more often. */
static uint32_t weigh_hours(uint32_t code, const uint32_t *parents)
{
    uint32_t hours = 1 + code;
    bool part_time = parents[0] == 0 || parents[0] == 6;
    uint32_t weight = 3;
    if (hours == 40)
        weight = part_time ? 1500 : 4700;
    else if (hours % 10 == 0 && hours <= 60)
        weight = hours == 50 || hours == 60 ? 650 : hours == 10 ? 80 : 300;
    else if (hours % 5 == 0 && hours <= 70)
        weight = hours == 45 || hours == 35 ? 400 : 130;
    else if (hours >= 8 && hours <= 60)
        weight = 20;
    if (hours < 40)
        weight = weight * (part_time ? 5 : 1) * (parents[1] == FEMALE ? 2 : 1);
    return hours > 40 && parents[1] == FEMALE ? weight / 2 + 1 : weight;
}

/* Countries go with races by their part of the world; the United States go with most of them. */
static uint32_t weigh_country(uint32_t country, const uint32_t *parents)
{
    const value *c = &countries_values[country];
    uint32_t weight = c->weight * 10;
    if (country == 0)
        return parents[0] == ASIAN || parents[0] == OTHER ? weight / 30 : weight;
    switch (c->up[1][0] == 'A' && c->up[1][1] == 's' ? 'a' : c->up[1][0]) {
    case 'a': return parents[0] == ASIAN ? weight : weight / 20;
    case 'E': return parents[0] == WHITE ? weight : weight / 20;
    default:
        return parents[0] == ASIAN || parents[0] == ESKIMO ? weight / 20
               : parents[0] == BLACK && c->up[0][0] != 'C' ? weight / 10
                                                           : weight;
    }
}

/* Most people have none; the rest is a Zipf tail over amounts that repeat. */
static void format_gain(uint32_t code, char text[NETWORK_TEXT + 1])
{
    uint32_t amount = code == 0 ? 0 : code + 1 == GAINS ? 99999 : 114 + code * (97 + code * 2);
    snprintf(text, NETWORK_TEXT + 1, "%u", amount);
}

/* Multiplying by a number that is prime to GAINS shuffles the tail, so that large amounts are not
 * always the rare ones. */
static uint32_t weigh_gain(uint32_t code, const uint32_t *parents)
{
    if (code == 0)
        return 1000000;
    uint32_t tail = 18000 / ((code * 37 % GAINS) + 2);
    return parents[0] < BACHELORS ? tail / 2 : tail * 3 / 2;
}

static void format_loss(uint32_t code, char text[NETWORK_TEXT + 1])
{
    snprintf(text, NETWORK_TEXT + 1, "%u", code == 0 ? 0 : 155 + code * 46 + code % 7);
}

static uint32_t weigh_loss(uint32_t code, const uint32_t *parents)
{
    (void)parents;
    return code == 0 ? 1000000 : 13000 / ((code * 29 % LOSSES) + 2);
}

static const value salaries[] = {{"<=50K", 0, {0}}, {">50K", 0, {0}}};

/* Per 10,000: education times age, five times as much for the married, as in the original. */
static uint32_t weigh_salary(uint32_t salary, const uint32_t *parents)
{
    static const uint16_t base[] = {2, 4, 6, 8, 8, 9, 8, 12, 26, 32, 40, 41, 66, 90, 120, 125};
    static const uint16_t age[BANDS] = {3, 25, 80, 120, 125, 105, 75};
    bool married = parents[1] == MARRIED || parents[1] == ARMED;
    uint32_t rich = base[parents[0]] * age[parents[2]] * (married ? 5 : 1) / 5;
    if (rich > 9000)
        rich = 9000;
    return salary == 1 ? rich : 10000 - rich;
}

static const node nodes[NODES] = {
    [BAND] = {.name = "band", .count = BANDS, .values = bands},
    [SEX] = {.name = "sex", .count = COUNT(sexes), .values = sexes},
    [RACE] = {.name = "race", .count = COUNT(races), .values = races},
    [AGE] = {.name = "age",
             .count = AGES,
             .format = format_age,
             .weight = weigh_age,
             .n_parents = 1,
             .parents = {BAND}},
    [EDUCATION] = {.name = "education",
                   .count = COUNT(educations),
                   .values = educations,
                   .weight = weigh_education,
                   .n_parents = 1,
                   .parents = {BAND}},
    [EDUCATION_NUM] = {.name = "education-num",
                       .count = COUNT(educations),
                       .format = format_number,
                       .weight = weigh_same,
                       .n_parents = 1,
                       .parents = {EDUCATION}},
    [WORKCLASS] = {.name = "workclass",
                   .count = COUNT(workclasses),
                   .values = workclasses,
                   .weight = weigh_workclass,
                   .n_parents = 1,
                   .parents = {EDUCATION},
                   .missing = 280},
    [FNLWGT] = {.name = "fnlwgt",
                .kind = NODE_SPREAD,
                .count = COUNT(fnlwgt_shares),
                .values = fnlwgt_shares,
                .bounds = fnlwgt_bounds},
    [MARITAL] = {.name = "marital-status",
                 .count = COUNT(maritals),
                 .values = maritals,
                 .weight = weigh_marital,
                 .n_parents = 2,
                 .parents = {BAND, SEX}},
    [RELATIONSHIP] = {.name = "relationship",
                      .count = COUNT(relationships),
                      .values = relationships,
                      .weight = weigh_relationship,
                      .n_parents = 3,
                      .parents = {MARITAL, SEX, BAND}},
    [OCCUPATION] = {.name = "occupation",
                    .count = COUNT(occupations),
                    .values = occupations,
                    .weight = weigh_occupation,
                    .n_parents = 2,
                    .parents = {EDUCATION, SEX}},
    [HOURS] = {.name = "hours-per-week",
               .count = HOUR_VALUES,
               .format = format_number,
               .weight = weigh_hours,
               .n_parents = 2,
               .parents = {BAND, SEX}},
    [COUNTRY] = {.name = "native-country",
                 .count = COUNTRIES,
                 .values = countries_values,
                 .weight = weigh_country,
                 .n_parents = 1,
                 .parents = {RACE},
                 .missing = 180},
    [GAIN] = {.name = "capital-gain",
              .count = GAINS,
              .format = format_gain,
              .weight = weigh_gain,
              .n_parents = 1,
              .parents = {EDUCATION}},
    [LOSS] = {.name = "capital-loss", .count = LOSSES, .format = format_loss, .weight = weigh_loss},
    [SALARY] = {.name = "salary-class",
                .count = COUNT(salaries),
                .values = salaries,
                .weight = weigh_salary,
                .n_parents = 3,
                .parents = {EDUCATION, MARITAL, BAND}},
};
static const uint8_t columns[] = {AGE,     WORKCLASS,  FNLWGT,       EDUCATION, EDUCATION_NUM,
                                  MARITAL, OCCUPATION, RELATIONSHIP, RACE,      SEX,
                                  GAIN,    LOSS,       HOURS,        COUNTRY,   SALARY};
static const hierarchy_file hierarchies[] = {{"adult-workclass.csv", WORKCLASS},
                                             {"adult-education.csv", EDUCATION},
                                             {"adult-marital-status.csv", MARITAL},
                                             {"adult-native-country.csv", COUNTRY},
                                             {"adult-occupation.csv", OCCUPATION}};

const profile profile_adult = {
    .name = "adult",
    .summary = "a census table like UCI Adult: 15 columns, occupation is sensitive",
    .nodes = nodes,
    .n_nodes = NODES,
    .columns = columns,
    .n_columns = COUNT(columns),
    .hierarchies = hierarchies,
    .n_hierarchies = COUNT(hierarchies),
    .study = study_adult,
};
