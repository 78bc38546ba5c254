/* Profile `survey`: answers to a large household survey.
 *
 *   region -> urban; band -> age, education, household; band, sex, education -> employment;
 *   employment, education -> income; urban, household -> dwelling; urban, band, education ->
 *   leaning.
 *
 * All places, parties and shares are invented. */
#include <stdio.h>

#include "generate/network.h"
#include "generate/studies.h"

enum {
    REGION,
    URBAN,
    BAND,
    AGE,
    SEX,
    EDUCATION,
    EMPLOYMENT,
    INCOME,
    HOUSEHOLD,
    DWELLING,
    LEANING,
    NODES
};
enum { BANDS = 6, AGES = 80, HOUSEHOLDS = 9 };
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

/* Districts of nine provinces in three parts; weights fall off as in a Zipf law. */
static const value regions[] = {
    {"Arlen", 5200, {"Coast", "North"}},
    {"Brisk", 2600, {"Coast", "North"}},
    {"Calder", 1700, {"Coast", "North"}},
    {"Dunmoor", 1300, {"Coast", "North"}},
    {"Eskdale", 1000, {"Coast", "North"}},
    {"Farrow", 240, {"Coast", "North"}},
    {"Gannet", 1900, {"Fjords", "North"}},
    {"Harrow", 950, {"Fjords", "North"}},
    {"Inver", 640, {"Fjords", "North"}},
    {"Jorvik", 480, {"Fjords", "North"}},
    {"Keld", 90, {"Fjords", "North"}},
    {"Larkhill", 1100, {"Heath", "North"}},
    {"Marsh", 560, {"Heath", "North"}},
    {"Norbury", 370, {"Heath", "North"}},
    {"Oakham", 280, {"Heath", "North"}},
    {"Penrose", 9800, {"Capital", "Middle"}},
    {"Quarry", 4900, {"Capital", "Middle"}},
    {"Redgate", 3300, {"Capital", "Middle"}},
    {"Stonebridge", 2500, {"Capital", "Middle"}},
    {"Thornton", 1900, {"Capital", "Middle"}},
    {"Ulverton", 1600, {"Capital", "Middle"}},
    {"Vale", 2800, {"Rivers", "Middle"}},
    {"Westbrook", 1400, {"Rivers", "Middle"}},
    {"Yarrow", 930, {"Rivers", "Middle"}},
    {"Zeal", 700, {"Rivers", "Middle"}},
    {"Ashford", 560, {"Rivers", "Middle"}},
    {"Birch", 1300, {"Woods", "Middle"}},
    {"Cedar", 650, {"Woods", "Middle"}},
    {"Dell", 430, {"Woods", "Middle"}},
    {"Elmstead", 330, {"Woods", "Middle"}},
    {"Fernhill", 70, {"Woods", "Middle"}},
    {"Glade", 4100, {"Plains", "South"}},
    {"Hazel", 2050, {"Plains", "South"}},
    {"Ivywood", 1400, {"Plains", "South"}},
    {"Juniper", 1000, {"Plains", "South"}},
    {"Kestrel", 820, {"Plains", "South"}},
    {"Linden", 2200, {"Vineyards", "South"}},
    {"Maple", 1100, {"Vineyards", "South"}},
    {"Nettle", 730, {"Vineyards", "South"}},
    {"Orchard", 550, {"Vineyards", "South"}},
    {"Poplar", 440, {"Vineyards", "South"}},
    {"Rowan", 900, {"Mountains", "South"}},
    {"Sorrel", 450, {"Mountains", "South"}},
    {"Tansy", 300, {"Mountains", "South"}},
    {"Umber", 220, {"Mountains", "South"}},
    {"Violet", 60, {"Mountains", "South"}},
    {"Willow", 30, {"Mountains", "South"}},
    {"Yew", 12, {"Mountains", "South"}},
};

/* Districts with many people are cities. */
static const value urbans[] = {{"city", 0, {0}}, {"town", 0, {0}}, {"country", 0, {0}}};
enum { CITY, TOWN, COUNTRYSIDE };

static uint32_t weigh_urban(uint32_t urban, const uint32_t *parents)
{
    uint32_t people = regions[parents[0]].weight;
    uint32_t city = people > 2000 ? 80 : people > 900 ? 30 : 5;
    uint32_t town = people > 2000 ? 15 : people > 900 ? 50 : 30;
    return urban == CITY ? city : urban == TOWN ? town : 100 - city - town;
}

/* A group of ages is drawn first, then an age in it: other variables depend on the group, since
 * tables for single years would be ten times as large. */
static const value bands[BANDS] = {{"16", 130, {0}}, {"26", 160, {0}}, {"36", 165, {0}},
                                   {"46", 180, {0}}, {"56", 165, {0}}, {"66", 200, {0}}};

static void format_age(uint32_t code, char text[NETWORK_TEXT + 1])
{
    snprintf(text, NETWORK_TEXT + 1, "%u", 16 + code);
}

/* Even within a group; in the last one fewer and fewer are alive. */
static uint32_t weigh_age(uint32_t code, const uint32_t *parents)
{
    uint32_t band = code < 50 ? code / 10 : 5;
    if (band != parents[0])
        return 0;
    return band < 5 ? 100 : (AGES - code) * (AGES - code);
}

static const value sexes[] = {{"female", 508, {0}}, {"male", 486, {0}}, {"other", 6, {0}}};

static const value educations[] = {
    {"none", 15, {"basic"}},
    {"primary", 60, {"basic"}},
    {"lower secondary", 170, {"basic"}},
    {"upper secondary", 240, {"secondary"}},
    {"vocational", 230, {"secondary"}},
    {"college", 90, {"higher"}},
    {"bachelor", 110, {"higher"}},
    {"master", 70, {"higher"}},
    {"doctorate", 9, {"higher"}},
};

/* Young people have not finished yet, and the old went to school for fewer years; a master's degree
 * or doctorate at 16 to 25 is rare. */
static uint32_t weigh_education(uint32_t education, const uint32_t *parents)
{
    /* Per cent by band: basic, secondary, higher. */
    static const uint16_t factor[BANDS][3] = {{170, 120, 30}, {45, 95, 170},  {50, 100, 150},
                                              {65, 115, 115}, {100, 115, 85}, {190, 85, 45}};
    uint32_t level = education < 3 ? 0 : education < 5 ? 1 : 2;
    if (education >= 7 && parents[0] == 0)
        return 20;
    return educations[education].weight * factor[parents[0]][level];
}

enum { FULL_TIME, PART_TIME, SELF_EMPLOYED, IN_TRAINING, UNEMPLOYED, HOMEMAKER, RETIRED };
static const value employments[] = {
    {"full time", 480, {"working"}},     {"part time", 150, {"working"}},
    {"self-employed", 80, {"working"}},  {"in training", 30, {"not working"}},
    {"unemployed", 45, {"not working"}}, {"homemaker", 45, {"not working"}},
    {"retired", 30, {"not working"}},    {"unable to work", 25, {"not working"}},
};

/* Age decides most: training, work, retirement. Part time and housework are mostly women's, as
 * surveys report. */
static uint32_t weigh_employment(uint32_t employment, const uint32_t *parents)
{
    static const uint16_t working[BANDS] = {55, 110, 115, 115, 90, 6};
    static const uint16_t retired[BANDS] = {0, 0, 1, 10, 300, 4000};
    static const uint16_t training[BANDS] = {1800, 90, 15, 5, 1, 1};
    uint32_t band = parents[0], sex = parents[1], higher = parents[2] >= 5;
    uint32_t weight = employments[employment].weight;
    switch (employment) {
    case FULL_TIME:
        return weight * working[band] * (sex == 1 ? 13 : 8) / 10 * (higher ? 12 : 9) / 10;
    case PART_TIME: return weight * working[band] * (sex == 0 ? 16 : 5) / 10;
    case SELF_EMPLOYED: return weight * working[band] * (higher ? 13 : 9) / 10;
    case IN_TRAINING: return weight * training[band];
    case HOMEMAKER: return weight * (sex == 0 ? 190 : 10) * (band == 0 ? 1 : 2) / 2;
    case RETIRED: return weight * retired[band];
    default: return weight * (higher ? 40 : 130) * (band == 5 ? 1 : 10) / 10;
    }
}

static const value incomes[] = {
    {"under 500", 0, {"low"}},       {"500 to 999", 0, {"low"}},
    {"1000 to 1499", 0, {"low"}},    {"1500 to 1999", 0, {"middle"}},
    {"2000 to 2499", 0, {"middle"}}, {"2500 to 2999", 0, {"middle"}},
    {"3000 to 3999", 0, {"high"}},   {"4000 to 4999", 0, {"high"}},
    {"5000 to 7499", 0, {"high"}},   {"7500 to 9999", 0, {"top"}},
    {"10000 and more", 0, {"top"}},
};

/* A hump around what work and education bring, with a heavy upper tail. */
static uint32_t weigh_income(uint32_t income, const uint32_t *parents)
{
    static const uint8_t work[] = {10, 5, 9, 1, 2, 2, 6, 3};
    static const uint8_t school[] = {0, 1, 2, 4, 5, 6, 7, 9, 11};
    uint32_t centre = (work[parents[0]] * 3 + school[parents[1]] * 3) / 5;
    if (centre > 9)
        centre = 9;
    uint32_t away = income > centre ? income - centre : 2 * (centre - income);
    return 100000 / (2 + 3 * away * away) / (income > 8 ? 3 : 1) + 5;
}

static void format_household(uint32_t code, char text[NETWORK_TEXT + 1])
{
    snprintf(text, NETWORK_TEXT + 1, "%u", 1 + code);
}

/* People live alone when young or old, and with children in between; large households are rare
 * everywhere. */
static uint32_t weigh_household(uint32_t code, const uint32_t *parents)
{
    static const uint16_t small[BANDS][4] = {{200, 220, 240, 240}, {270, 300, 210, 160},
                                             {190, 230, 240, 250}, {220, 310, 220, 180},
                                             {280, 500, 140, 60},  {430, 500, 50, 15}};
    return code < 4 ? small[parents[0]][code] * 10 : small[parents[0]][3] * 10 / (3 * (code - 3));
}

static const value dwellings[] = {{"rented flat", 300, {0}}, {"own flat", 120, {0}},
                                  {"rented house", 90, {0}}, {"own house", 330, {0}},
                                  {"shared flat", 40, {0}},  {"home", 12, {0}},
                                  {"other", 4, {0}}};

/* Flats are in cities, houses in the country and for families; a home is for people who live
 * alone. */
static uint32_t weigh_dwelling(uint32_t dwelling, const uint32_t *parents)
{
    uint32_t weight = dwellings[dwelling].weight * 100;
    bool flat = dwelling < 2 || dwelling == 4, house = dwelling == 2 || dwelling == 3;
    if (flat)
        weight = parents[0] == CITY ? weight * 2 : parents[0] == TOWN ? weight : weight / 4;
    if (house)
        weight = parents[0] == CITY ? weight / 3 : weight * (parents[1] > 1 ? 2 : 1);
    return dwelling == 5 && parents[1] > 0 ? weight / 10 : weight;
}

enum { WORKERS, GREENS, CENTRE, LIBERALS, CONSERVATIVES, NATIONALISTS, NONE, FARMERS, PIRATES };
static const value leanings[] = {
    {"workers", 230, {"left"}},        {"greens", 140, {"left"}},
    {"centre", 200, {"middle"}},       {"liberals", 90, {"middle"}},
    {"conservatives", 220, {"right"}}, {"nationalists", 90, {"right"}},
    {"none", 130, {"no party"}},       {"farmers", 12, {"middle"}},
    {"pirates", 6, {"left"}},          {"monarchists", 2, {"right"}},
};

/* The sensitive column depends on place, age and education, so that a class of similar people may
 * lean one way: a diversity model has something to do. */
static uint32_t weigh_leaning(uint32_t leaning, const uint32_t *parents)
{
    uint32_t weight = leanings[leaning].weight * 10;
    bool city = parents[0] == CITY, land = parents[0] == COUNTRYSIDE, higher = parents[2] >= 5;
    bool young = parents[1] < 2, old = parents[1] == 5;
    switch (leaning) {
    case WORKERS: return weight * (higher ? 7 : 12) / 10;
    case GREENS:
        return weight * (city ? 15 : 7) * (young ? 18 : old ? 5 : 10) * (higher ? 2 : 1) / 100;
    case LIBERALS: return weight * (higher ? 18 : 7) / 10;
    case CONSERVATIVES: return weight * (old ? 17 : young ? 6 : 10) * (city ? 7 : 12) / 100;
    case NATIONALISTS: return weight * (higher ? 4 : 13) * (land ? 14 : 9) / 100;
    case FARMERS: return land ? weight * 4 : weight / 4;
    case PIRATES: return young ? weight * 3 : weight / 3;
    default: return weight;
    }
}

static const node nodes[NODES] = {
    [REGION] = {.name = "region", .count = COUNT(regions), .values = regions},
    [URBAN] = {.name = "urban",
               .count = COUNT(urbans),
               .values = urbans,
               .weight = weigh_urban,
               .n_parents = 1,
               .parents = {REGION}},
    [BAND] = {.name = "band", .count = BANDS, .values = bands},
    [AGE] = {.name = "age",
             .count = AGES,
             .format = format_age,
             .weight = weigh_age,
             .n_parents = 1,
             .parents = {BAND}},
    [SEX] = {.name = "sex", .count = COUNT(sexes), .values = sexes},
    [EDUCATION] = {.name = "education",
                   .count = COUNT(educations),
                   .values = educations,
                   .weight = weigh_education,
                   .n_parents = 1,
                   .parents = {BAND},
                   .missing = 110},
    [EMPLOYMENT] = {.name = "employment",
                    .count = COUNT(employments),
                    .values = employments,
                    .weight = weigh_employment,
                    .n_parents = 3,
                    .parents = {BAND, SEX, EDUCATION}},
    [INCOME] = {.name = "income",
                .count = COUNT(incomes),
                .values = incomes,
                .weight = weigh_income,
                .n_parents = 2,
                .parents = {EMPLOYMENT, EDUCATION},
                .missing = 290},
    [HOUSEHOLD] = {.name = "household",
                   .count = HOUSEHOLDS,
                   .format = format_household,
                   .weight = weigh_household,
                   .n_parents = 1,
                   .parents = {BAND},
                   .missing = 150},
    [DWELLING] = {.name = "dwelling",
                  .count = COUNT(dwellings),
                  .values = dwellings,
                  .weight = weigh_dwelling,
                  .n_parents = 2,
                  .parents = {URBAN, HOUSEHOLD}},
    [LEANING] = {.name = "leaning",
                 .count = COUNT(leanings),
                 .values = leanings,
                 .weight = weigh_leaning,
                 .n_parents = 3,
                 .parents = {URBAN, BAND, EDUCATION}},
};
static const uint8_t columns[] = {REGION, AGE,       SEX,      EDUCATION, EMPLOYMENT,
                                  INCOME, HOUSEHOLD, DWELLING, LEANING};
static const hierarchy_file hierarchies[] = {{"survey-region.csv", REGION},
                                             {"survey-education.csv", EDUCATION},
                                             {"survey-employment.csv", EMPLOYMENT},
                                             {"survey-income.csv", INCOME},
                                             {"survey-leaning.csv", LEANING}};

const profile profile_survey = {
    .name = "survey",
    .summary = "a household survey: 9 columns, political leaning is sensitive",
    .nodes = nodes,
    .n_nodes = NODES,
    .columns = columns,
    .n_columns = COUNT(columns),
    .hierarchies = hierarchies,
    .n_hierarchies = COUNT(hierarchies),
    .study = study_survey,
};
