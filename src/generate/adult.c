/* Profile `adult`: the columns, domains and rough shares of the UCI Adult census table, drawn anew.
 * Countries have its spellings. */
#include <stdio.h>

#include "generate/network.h"

enum { MALE, FEMALE };
enum { HS_GRAD = 8, BACHELORS = 12, MASTERS = 13 }; /* education */
enum { YOUNGEST = 0, OLDEST = 6, BANDS = 7 };

/* Even within the young groups, falling within the middle ones, and fewer and fewer after 67. The
 * numbers are the group and the year in which the next one begins. */
static uint32_t weigh_age(const value *v, const value *const *given)
{
    uint32_t band = given[0]->code, left = v->numbers[1] - (17 + v->code);
    if (v->numbers[0] != band)
        return 0;
    return band < 3 ? 100 : band < OLDEST ? 60 + 4 * left : 10 * left * left;
}

/* education-num says the same as education, as in the original table. */
static uint32_t weigh_same(const value *v, const value *const *given)
{
    return v->code == given[0]->code;
}

/* Academics work for the government and for themselves more often than others. */
static uint32_t weigh_workclass(const value *v, const value *const *given)
{
    uint32_t weight = v->weight * 10, education = given[0]->code;
    bool government = v->code >= 3 && v->code <= 5, own = v->code == 1 || v->code == 2;
    if (education < MASTERS)
        return education == BACHELORS && government ? weight * 5 / 4
               : education < HS_GRAD && government  ? weight / 2
                                                    : weight;
    return government ? weight * 2 : own ? weight * 3 / 2 : weight * 3 / 4;
}

enum { MARRIED, NEVER, DIVORCED, SEPARATED, WIDOWED, ABSENT, ARMED };

/* Marriage depends on age most; the divorced and widowed are more often women, as in the original,
 * whose men are mostly husbands. The numbers are per cent of the overall share, by band. */
static uint32_t weigh_marital(const value *v, const value *const *given)
{
    uint32_t band = given[0]->code, weight = v->weight * v->numbers[band];
    bool married = v->code == MARRIED || v->code == ARMED;
    if (v->code == WIDOWED)
        weight = weight * (1 + band * band) / 14;
    if (given[1]->code == FEMALE)
        return married ? weight / 4 : v->code == NEVER ? weight * 4 / 3 : weight * 2;
    return married ? weight * 4 / 3 : v->code == NEVER ? weight : weight * 2 / 3;
}

enum { HUSBAND, WIFE, OWN_CHILD, NOT_IN_FAMILY, UNMARRIED };

/* Husbands and wives are the married of each sex; who never married lives with parents while
 * young. */
static uint32_t weigh_relationship(const value *v, const value *const *given)
{
    static const uint16_t never[BANDS] = {3200, 1100, 350, 200, 150, 80, 20};
    uint32_t marital = given[0]->code, sex = given[1]->code, band = given[2]->code;
    bool married = marital == MARRIED || marital == ARMED;
    switch (v->code) {
    case HUSBAND: return married && sex == MALE ? 1000 : 0;
    case WIFE: return married && sex == FEMALE ? 1000 : 0;
    case OWN_CHILD: return married ? 10 : marital == NEVER ? never[band] : 70;
    case NOT_IN_FAMILY: return married ? 2 : 550;
    case UNMARRIED: return married ? 0 : marital == NEVER ? (band == YOUNGEST ? 20 : 90) : 450;
    default: return married ? 12 : 45; /* OTHER_RELATIVE */
    }
}

/* Education and sex, which the original shows to matter most. The numbers are per cent of the
 * overall share: without diploma, high school and college, academic; women. */
static uint32_t weigh_occupation(const value *v, const value *const *given)
{
    uint32_t level = given[0]->code < HS_GRAD ? 0 : given[0]->code < BACHELORS ? 1 : 2;
    uint32_t weight = v->weight * v->numbers[level];
    return given[1]->code == FEMALE ? weight * v->numbers[3] / 100 : weight;
}

/* Forty is by far the most frequent answer, round numbers come next. The youngest and the oldest,
 * and women of that time, work part time more often. */
static uint32_t weigh_hours(const value *v, const value *const *given)
{
    uint32_t hours = 1 + v->code, weight = 3;
    bool part_time = given[0]->code == YOUNGEST || given[0]->code == OLDEST;
    bool female = given[1]->code == FEMALE;
    if (hours == 40)
        weight = part_time ? 1500 : 4700;
    else if (hours % 10 == 0 && hours <= 60)
        weight = hours == 50 || hours == 60 ? 650 : hours == 10 ? 80 : 300;
    else if (hours % 5 == 0 && hours <= 70)
        weight = hours == 45 || hours == 35 ? 400 : 130;
    else if (hours >= 8 && hours <= 60)
        weight = 20;
    if (hours < 40)
        weight = weight * (part_time ? 5 : 1) * (female ? 2 : 1);
    return hours > 40 && female ? weight / 2 + 1 : weight;
}

enum { GAINS = 119, LOSSES = 92 };

/* Most people have none; the rest is a Zipf tail over amounts that repeat. */
static void format_gain(uint32_t code, char text[NETWORK_TEXT + 1])
{
    uint32_t amount = code == 0 ? 0 : code + 1 == GAINS ? 99999 : 114 + code * (97 + code * 2);
    snprintf(text, NETWORK_TEXT + 1, "%u", amount);
}

/* Multiplying by a number that is prime to GAINS shuffles the tail, so that large amounts are not
 * always the rare ones. */
static uint32_t weigh_gain(const value *v, const value *const *given)
{
    if (v->code == 0)
        return 1000000;
    uint32_t tail = 18000 / ((v->code * 37 % GAINS) + 2);
    return given[0]->code < BACHELORS ? tail / 2 : tail * 3 / 2;
}

static void format_loss(uint32_t code, char text[NETWORK_TEXT + 1])
{
    snprintf(text, NETWORK_TEXT + 1, "%u", code == 0 ? 0 : 155 + code * 46 + code % 7);
}

static uint32_t weigh_loss(const value *v, const value *const *given)
{
    (void)given;
    return v->code == 0 ? 1000000 : 13000 / ((v->code * 29 % LOSSES) + 2);
}

/* Per 10,000: education times age, five times as much for the married, as in the original. */
static uint32_t weigh_salary(const value *v, const value *const *given)
{
    static const uint16_t base[] = {2, 4, 6, 8, 8, 9, 8, 12, 26, 32, 40, 41, 66, 90, 120, 125};
    static const uint16_t age[BANDS] = {3, 25, 80, 120, 125, 105, 75};
    bool married = given[1]->code == MARRIED || given[1]->code == ARMED;
    uint32_t rich = base[given[0]->code] * age[given[2]->code] * (married ? 5 : 1) / 5;
    if (rich > 9000)
        rich = 9000;
    return v->code == 1 ? rich : 10000 - rich;
}

const profile profile_adult = {
    .name = "adult",
    .summary = "a census table like UCI Adult: 15 columns, occupation is sensitive",
    .columns = "age workclass fnlwgt education education-num marital-status occupation "
               "relationship race sex capital-gain capital-loss hours-per-week native-country "
               "salary-class",
    .hierarchies = "workclass education marital-status native-country occupation",
    .study = study_adult,
    .study_length = &study_adult_length,
    .nodes =
        {
            /* Groups of ages, named by their first year. A group is drawn first, then an age in it:
             * other variables depend on the group, since tables for single years would be ten times
             * as large. */
            {"band", .values = "17=94, 22=120, 27=265, 37=237, 47=160, 57=88, 67=36"},
            {"sex", .values = "Male=67, Female=33"},
            {"race", .values = "White=8540, Black=960, Asian-Pac-Islander=310, "
                               "Amer-Indian-Eskimo=100, Other=90"},
            {"age", .given = "band", .weight = weigh_age,
             .values = "17..21=0 0 22, 22..26=0 1 27, 27..36=0 2 37, 37..46=0 3 47, 47..56=0 4 57, "
                       "57..66=0 5 67, 67..90=0 6 91"},
            /* By band, in the order of education-num. Young people have not finished yet, and the
             * old went to school for fewer years. */
            {"education", .given = "band",
             .values = "Primary/Without diploma: Preschool=1 40 30 6 6 6 24 24\n"
                       "Primary/Without diploma: 1st-4th=1 100 75 15 15 15 60 60\n"
                       "Primary/Without diploma: 5th-6th=1 200 150 30 30 30 120 120\n"
                       "Primary/Without diploma: 7th-8th=1 400 300 60 60 60 240 240\n"
                       "Secondary/Without diploma: 9th=1 1280 240 48 48 48 192 192\n"
                       "Secondary/Without diploma: 10th=1 2240 420 84 84 84 336 336\n"
                       "Secondary/Without diploma: 11th=1 2880 720 144 144 144 108 108\n"
                       "Secondary/Without diploma: 12th=1 1040 260 52 52 52 39 39\n"
                       "High school/With diploma: HS-grad=1 6440 6440 1288 1288 1288 966 966\n"
                       "College/With diploma: Some-college=1 8960 4480 896 896 896 672 672\n"
                       "College/With diploma: Assoc-voc=1 840 840 168 168 168 126 126\n"
                       "College/With diploma: Assoc-acdm=1 660 660 132 132 132 99 99\n"
                       "Bachelor/Academic: Bachelors=1 82 3280 656 656 656 492 492\n"
                       "Graduate/Academic: Masters=1 26 212 212 212 212 265 265\n"
                       "Graduate/Academic: Prof-school=1 9 72 72 72 72 90 90\n"
                       "Graduate/Academic: Doctorate=1 6 52 52 52 52 65 65"},
            {"education-num", .given = "education", .weight = weigh_same, .values = "1..16=0"},
            {"workclass", .given = "education", .weight = weigh_workclass, .missing = 280,
             .values = "Employed/Working: Private=7380\n"
                       "Self-employed/Working: Self-emp-not-inc=830, Self-emp-inc=355\n"
                       "Government/Working: Federal-gov=310, Local-gov=680, State-gov=425\n"
                       "Unpaid/Not working: Without-pay=5, Never-worked=2"},
            /* The census weight is nearly unique for each person; it is drawn evenly from ranges
             * with the shares of the original. */
            {"fnlwgt", .kind = NODE_SPREAD,
             .values =
                 "12285..49999=75, 50000..99999=95, 100000..119999=110, 120000..159999=150, "
                 "160000..179999=120, 180000..199999=125, 200000..239999=125, "
                 "240000..279999=70, 280000..349999=80, 350000..449999=40, 450000..1484704=10"},
            {"marital-status", .given = "band sex", .weight = weigh_marital,
             .values = "Spouse present: Married-civ-spouse=460 8 55 105 135 145 150 125\n"
                       "Spouse not present: Never-married=330 300 210 95 40 22 15 15\n"
                       "Spouse not present: Divorced=136 8 35 90 150 160 130 110\n"
                       "Spouse not present: Separated=31 8 35 90 150 160 130 110\n"
                       "Spouse not present: Widowed=31 8 35 90 150 160 130 110\n"
                       "Spouse not present: Married-spouse-absent=13 8 35 90 150 160 130 110\n"
                       "Spouse present: Married-AF-spouse=1 8 55 105 135 145 150 125"},
            {"relationship", .given = "marital-status sex band", .weight = weigh_relationship,
             .values = "Husband=0, Wife=0, Own-child=0, Not-in-family=0, Unmarried=0, "
                       "Other-relative=0"},
            {"occupation", .given = "education sex", .weight = weigh_occupation,
             .values = "Technical: Craft-repair=133 130 125 25 15\n"
                       "Professional: Prof-specialty=134 5 40 330 110\n"
                       "Professional: Exec-managerial=132 25 75 200 85\n"
                       "Clerical: Adm-clerical=123 40 125 60 240, Sales=119 60 105 110 100\n"
                       "Service: Other-service=107 200 110 35 190\n"
                       "Manual: Machine-op-inspct=65 220 105 15 80\n"
                       "Manual: Transport-moving=51 180 110 15 15\n"
                       "Manual: Handlers-cleaners=45 200 110 15 35\n"
                       "Manual: Farming-fishing=33 200 90 45 20\n"
                       "Technical: Tech-support=30 15 120 105 115\n"
                       "Service: Protective-serv=21 40 115 80 35, Priv-house-serv=5 300 80 15 900\n"
                       "Service: Armed-Forces=1 20 130 60 5"},
            {"hours-per-week", .given = "band sex", .weight = weigh_hours, .values = "1..99=0"},
            /* By race, which goes with the part of the world; the United States go with most. */
            {"native-country", .given = "race", .missing = 180,
             .values = "North America/Americas: United-States=1 900000 900000 30000 900000 30000\n"
                       "Central America/Americas: Mexico=1 20300 20300 1015 1015 20300\n"
                       "South-East Asia/Asia: Philippines=1 310 310 6200 310 310\n"
                       "Western Europe/Europe: Germany=1 4200 210 210 210 210\n"
                       "North America/Americas: Canada=1 3800 380 190 190 3800\n"
                       "Caribbean/Americas: Puerto-Rico=1 3700 3700 185 185 3700\n"
                       "Central America/Americas: El-Salvador=1 3300 3300 165 165 3300\n"
                       "South Asia/Asia: India=1 155 155 3100 155 155\n"
                       "Caribbean/Americas: Cuba=1 3000 3000 150 150 3000\n"
                       "Western Europe/Europe: England=1 2900 145 145 145 145\n"
                       "Caribbean/Americas: Jamaica=1 2500 2500 125 125 2500\n"
                       "Unknown/Unknown: South=1 2400 240 120 120 2400\n"
                       "East Asia/Asia: China=1 115 115 2300 115 115\n"
                       "Southern Europe/Europe: Italy=1 2300 115 115 115 115\n"
                       "Caribbean/Americas: Dominican-Republic=1 2100 2100 105 105 2100\n"
                       "South-East Asia/Asia: Vietnam=1 105 105 2100 105 105\n"
                       "Central America/Americas: Guatemala=1 2000 2000 100 100 2000\n"
                       "East Asia/Asia: Japan=1 95 95 1900 95 95\n"
                       "Eastern Europe/Europe: Poland=1 1850 92 92 92 92\n"
                       "South America/Americas: Columbia=1 1800 180 90 90 1800\n"
                       "East Asia/Asia: Taiwan=1 80 80 1600 80 80\n"
                       "Caribbean/Americas: Haiti=1 1350 1350 67 67 1350\n"
                       "Western Asia/Asia: Iran=1 66 66 1320 66 66\n"
                       "Southern Europe/Europe: Portugal=1 1140 57 57 57 57\n"
                       "Central America/Americas: Nicaragua=1 1040 1040 52 52 1040\n"
                       "South America/Americas: Peru=1 950 95 47 47 950\n"
                       "Southern Europe/Europe: Greece=1 900 45 45 45 45\n"
                       "Western Europe/Europe: France=1 890 44 44 44 44\n"
                       "South America/Americas: Ecuador=1 860 86 43 43 860\n"
                       "Western Europe/Europe: Ireland=1 740 37 37 37 37\n"
                       "East Asia/Asia: Hong=1 30 30 610 30 30\n"
                       "South-East Asia/Asia: Cambodia=1 29 29 580 29 29\n"
                       "Caribbean/Americas: Trinadad&Tobago=1 580 580 29 29 580\n"
                       "South-East Asia/Asia: Thailand=1 27 27 550 27 27, Laos=1 27 27 550 27 27\n"
                       "Eastern Europe/Europe: Yugoslavia=1 490 24 24 24 24\n"
                       "North America/Americas: Outlying-US(Guam-USVI-etc)=1 430 43 21 21 430\n"
                       "Eastern Europe/Europe: Hungary=1 400 20 20 20 20\n"
                       "Central America/Americas: Honduras=1 400 400 20 20 400\n"
                       "Western Europe/Europe: Scotland=1 370 18 18 18 18\n"
                       "Western Europe/Europe: Holand-Netherlands=1 30 1 1 1 1"},
            {"capital-gain", .given = "education", .weight = weigh_gain, .count = GAINS,
             .format = format_gain},
            {"capital-loss", .weight = weigh_loss, .count = LOSSES, .format = format_loss},
            {"salary-class", .given = "education marital-status band", .weight = weigh_salary,
             .values = "<=50K=0, >50K=0"},
        },
};
