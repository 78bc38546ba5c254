/* Profile `survey`: answers to a large household survey. All places, parties and shares are
 * invented. */
#include "generate/network.h"

enum { BANDS = 6, YOUTH = 0, OLD = 5 };
enum { FEMALE, MALE };
enum { CITY, TOWN, COUNTRYSIDE };
enum { COLLEGE = 5 }; /* education from here on is higher */

/* Districts with many people are cities. */
static uint32_t weigh_urban(const value *v, const value *const *given)
{
    uint32_t people = given[0]->weight;
    uint32_t city = people > 2000 ? 80 : people > 900 ? 30 : 5;
    uint32_t town = people > 2000 ? 15 : people > 900 ? 50 : 30;
    return v->code == CITY ? city : v->code == TOWN ? town : 100 - city - town;
}

/* Even within a group, whose number follows the weight; in the last one fewer and fewer are
 * alive. */
static uint32_t weigh_age(const value *v, const value *const *given)
{
    if (v->numbers[0] != given[0]->code)
        return 0;
    return given[0]->code < OLD ? 100 : (80 - v->code) * (80 - v->code);
}

enum { FULL_TIME, PART_TIME, SELF_EMPLOYED, IN_TRAINING, UNEMPLOYED, HOMEMAKER, RETIRED };

/* Age decides most: training, work, retirement. Part time and housework are mostly women's, as
 * surveys report. */
static uint32_t weigh_employment(const value *v, const value *const *given)
{
    static const uint16_t working[BANDS] = {55, 110, 115, 115, 90, 6};
    static const uint16_t retired[BANDS] = {0, 0, 1, 10, 300, 4000};
    static const uint16_t training[BANDS] = {1800, 90, 15, 5, 1, 1};
    uint32_t band = given[0]->code, sex = given[1]->code, weight = v->weight;
    bool higher = given[2]->code >= COLLEGE;
    switch (v->code) {
    case FULL_TIME:
        return weight * working[band] * (sex == MALE ? 13 : 8) / 10 * (higher ? 12 : 9) / 10;
    case PART_TIME: return weight * working[band] * (sex == FEMALE ? 16 : 5) / 10;
    case SELF_EMPLOYED: return weight * working[band] * (higher ? 13 : 9) / 10;
    case IN_TRAINING: return weight * training[band];
    case HOMEMAKER: return weight * (sex == FEMALE ? 190 : 10) * (band == YOUTH ? 1 : 2) / 2;
    case RETIRED: return weight * retired[band];
    default: return weight * (higher ? 40 : 130) * (band == OLD ? 1 : 10) / 10;
    }
}

/* A hump around what work and education bring, with a heavy upper tail. */
static uint32_t weigh_income(const value *v, const value *const *given)
{
    static const uint8_t work[] = {10, 5, 9, 1, 2, 2, 6, 3};
    static const uint8_t school[] = {0, 1, 2, 4, 5, 6, 7, 9, 11};
    uint32_t income = v->code;
    uint32_t centre = (work[given[0]->code] * 3 + school[given[1]->code] * 3) / 5;
    if (centre > 9)
        centre = 9;
    uint32_t away = income > centre ? income - centre : 2 * (centre - income);
    return 100000 / (2 + 3 * away * away) / (income > 8 ? 3 : 1) + 5;
}

/* Flats are in cities, houses in the country and for families; a home is for people who live
 * alone. */
static uint32_t weigh_dwelling(const value *v, const value *const *given)
{
    uint32_t weight = v->weight * 100, place = given[0]->code;
    bool flat = v->code < 2 || v->code == 4, house = v->code == 2 || v->code == 3;
    bool alone = given[1]->code == 0;
    if (flat)
        weight = place == CITY ? weight * 2 : place == TOWN ? weight : weight / 4;
    if (house)
        weight = place == CITY ? weight / 3 : weight * (given[1]->code > 1 ? 2 : 1);
    return v->code == 5 && !alone ? weight / 10 : weight;
}

enum { WORKERS, GREENS, CENTRE, LIBERALS, CONSERVATIVES, NATIONALISTS, NONE, FARMERS, PIRATES };

/* The sensitive column depends on place, age and education, so that a class of similar people may
 * lean one way: a diversity model has something to do. */
static uint32_t weigh_leaning(const value *v, const value *const *given)
{
    uint32_t weight = v->weight * 10;
    bool city = given[0]->code == CITY, land = given[0]->code == COUNTRYSIDE;
    bool young = given[1]->code < 2, old = given[1]->code == OLD;
    bool higher = given[2]->code >= COLLEGE;
    switch (v->code) {
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

const profile profile_survey = {
    .name = "survey",
    .summary = "a household survey: 9 columns, political leaning is sensitive",
    .columns = "region age sex education employment income household dwelling leaning",
    .hierarchies = "region education employment income leaning",
    .study = study_survey,
    .study_length = &study_survey_length,
    .nodes =
        {
            /* Districts of nine provinces in three parts; weights fall off as in a Zipf law. */
            {"region",
             .values =
                 "Coast/North: Arlen=5200, Brisk=2600, Calder=1700, Dunmoor=1300\n"
                 "Coast/North: Eskdale=1000, Farrow=240\n"
                 "Fjords/North: Gannet=1900, Harrow=950, Inver=640, Jorvik=480, Keld=90\n"
                 "Heath/North: Larkhill=1100, Marsh=560, Norbury=370, Oakham=280\n"
                 "Capital/Middle: Penrose=9800, Quarry=4900, Redgate=3300, Stonebridge=2500\n"
                 "Capital/Middle: Thornton=1900, Ulverton=1600\n"
                 "Rivers/Middle: Vale=2800, Westbrook=1400, Yarrow=930, Zeal=700, Ashford=560\n"
                 "Woods/Middle: Birch=1300, Cedar=650, Dell=430, Elmstead=330, Fernhill=70\n"
                 "Plains/South: Glade=4100, Hazel=2050, Ivywood=1400, Juniper=1000\n"
                 "Plains/South: Kestrel=820\n"
                 "Vineyards/South: Linden=2200, Maple=1100, Nettle=730, Orchard=550\n"
                 "Vineyards/South: Poplar=440\n"
                 "Mountains/South: Rowan=900, Sorrel=450, Tansy=300, Umber=220, Violet=60\n"
                 "Mountains/South: Willow=30, Yew=12"},
            {"urban", .given = "region", .weight = weigh_urban,
             .values = "city=0, town=0, country=0"},
            /* A group of ages is drawn first, then an age in it: other variables depend on the
             * group, since tables for single years would be ten times as large. */
            {"band", .values = "16=130, 26=160, 36=165, 46=180, 56=165, 66=200"},
            {"age", .given = "band", .weight = weigh_age,
             .values = "16..25=0 0, 26..35=0 1, 36..45=0 2, 46..55=0 3, 56..65=0 4, 66..95=0 5"},
            {"sex", .values = "female=508, male=486, other=6"},
            /* By band: young people have not finished yet (a master's degree or doctorate at 16 to
             * 25 is rare), and the old went to school for fewer years. */
            {"education", .given = "band", .missing = 110,
             .values = "basic: none=1 255 135 15 195 300 570\n"
                       "basic: primary=1 1020 540 60 780 1200 2280\n"
                       "basic: lower secondary=1 2890 1530 170 2210 3400 6460\n"
                       "secondary: upper secondary=1 2880 4560 480 5520 5520 4080\n"
                       "secondary: vocational=1 2760 4370 460 5290 5290 3910\n"
                       "higher: college=1 270 3060 270 2070 1530 810\n"
                       "higher: bachelor=1 330 3740 330 2530 1870 990\n"
                       "higher: master=1 2 2380 210 1610 1190 630\n"
                       "higher: doctorate=1 2 306 27 207 153 81"},
            {"employment", .given = "band sex education", .weight = weigh_employment,
             .values = "working: full time=480, part time=150, self-employed=80\n"
                       "not working: in training=30, unemployed=45, homemaker=45, retired=30\n"
                       "not working: unable to work=25"},
            {"income", .given = "employment education", .weight = weigh_income, .missing = 290,
             .values = "low: under 500=0, 500 to 999=0, 1000 to 1499=0\n"
                       "middle: 1500 to 1999=0, 2000 to 2499=0, 2500 to 2999=0\n"
                       "high: 3000 to 3999=0, 4000 to 4999=0, 5000 to 7499=0\n"
                       "top: 7500 to 9999=0, 10000 and more=0"},
            /* By band: people live alone when young or old, and with children in between; large
             * households are rare everywhere. */
            {"household", .given = "band", .missing = 150,
             .values = "1=1 1000 2700 1900 220 1400 4300\n"
                       "2=1 1100 3000 2300 310 2500 5000\n"
                       "3=1 1200 2100 2400 220 700 500\n"
                       "4=1 1200 1600 2500 180 300 150\n"
                       "5=1 400 533 833 60 100 50\n"
                       "6=1 200 266 416 30 50 25\n"
                       "7=1 133 177 277 20 33 16\n"
                       "8=1 100 133 208 15 25 12\n"
                       "9=1 80 106 166 12 20 10"},
            {"dwelling", .given = "urban household", .weight = weigh_dwelling,
             .values = "rented flat=300, own flat=120, rented house=90, own house=330\n"
                       "shared flat=40, home=12, other=4"},
            {"leaning", .given = "urban band education", .weight = weigh_leaning,
             .values = "left: workers=230, greens=140\n"
                       "middle: centre=200, liberals=90\n"
                       "right: conservatives=220, nationalists=90\n"
                       "no party: none=130\n"
                       "middle: farmers=12\n"
                       "left: pirates=6\n"
                       "right: monarchists=2"},
        },
};
