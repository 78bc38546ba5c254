/* Profile `hospital`: admissions to five sites of one hospital group. All names, places and shares
 * are invented. */
#include <stdio.h>

#include "core/text.h"
#include "generate/network.h"

enum { BANDS = 6, AREAS = 4, ZIPS = 15, SITES = 5, DAYS = 731 };
enum { FEMALE, MALE };
enum { CHILD, YOUTH, OLD = 5 }; /* bands */

/* Even within a group, whose number follows the weight; from 75 on fewer and fewer are alive. */
static uint32_t weigh_age(const value *v, const value *const *given)
{
    if (v->numbers[0] != given[0]->code)
        return 0;
    return given[0]->code < OLD ? 100 : (100 - v->code) * (100 - v->code);
}

/* Five digits: the first is the site's, three make an area. */
static void format_zip(uint32_t code, char text[NETWORK_TEXT + 1])
{
    static const uint16_t areas[SITES][AREAS] = {{201, 203, 214, 222},
                                                 {801, 806, 813, 831},
                                                 {401, 404, 417, 429},
                                                 {601, 605, 611, 620},
                                                 {101, 102, 107, 115}};
    uint32_t site = code / (AREAS * ZIPS), area = code / ZIPS % AREAS, place = code % ZIPS;
    snprintf(text, NETWORK_TEXT + 1, "%u%02u", areas[site][area], (place * 7 + 3) % 100);
}

/* Zipf over the places around a site; one patient in twenty comes from elsewhere. */
static uint32_t weigh_zip(const value *v, const value *const *given)
{
    uint32_t site = v->code / (AREAS * ZIPS), place = v->code % (AREAS * ZIPS);
    uint32_t weight = 600000 / (place + 1);
    return site == given[0]->code ? weight : weight / 76;
}

enum { JOB_NURSE = 4, JOB_CARER = 7, JOB_ELECTRICIAN = 16, JOB_DRIVER = 24, JOB_PUPIL = 28 };
enum { JOB_STUDENT = 29, JOB_RETIRED = 30, JOB_HOMEMAKER = 31 };

/* Children go to school, the old are retired, and some jobs are mostly done by one sex. */
static uint32_t weigh_job(const value *v, const value *const *given)
{
    static const uint32_t pupil[BANDS] = {4000, 40, 0, 0, 0, 0};
    static const uint32_t student[BANDS] = {0, 60, 4, 1, 0, 0};
    static const uint32_t retired[BANDS] = {0, 0, 0, 2, 120, 1500};
    uint32_t band = given[0]->code, sex = given[1]->code, job = v->code, weight = v->weight * 10;
    if (job == JOB_PUPIL)
        return weight * pupil[band];
    if (band == CHILD)
        return 0;
    if (job == JOB_STUDENT)
        return weight * student[band] / 10;
    if (job == JOB_RETIRED)
        return weight * retired[band] / 2;
    if (job == JOB_HOMEMAKER || (job >= JOB_NURSE && job <= JOB_CARER))
        return sex == FEMALE ? weight * 2 : weight / 3;
    if (job >= JOB_ELECTRICIAN && job <= JOB_DRIVER)
        return sex == MALE ? weight * 2 : weight / 3;
    return weight;
}

enum {
    NAMES_FIRST = 20, /* of women, and as many of men */
    NAMES_FAMILIES = 36,
    NAMES = 2 * NAMES_FIRST * NAMES_FAMILIES
};

static const char *const women[NAMES_FIRST] = {
    "Anna",  "Maria", "Emma",  "Lena",   "Julia", "Sophie", "Laura", "Clara",  "Nina", "Eva",
    "Paula", "Ida",   "Marta", "Sandra", "Irene", "Alma",   "Vera",  "Helena", "Rosa", "Yasmin"};
static const char *const men[NAMES_FIRST] = {
    "Paul",  "Lukas", "Jonas", "Max",    "Felix", "Anton",  "Peter", "Thomas", "Karl", "Emil",
    "David", "Simon", "Oskar", "Martin", "Jakob", "Stefan", "Omar",  "Viktor", "Hugo", "Ivan"};
static const char *const families[NAMES_FAMILIES] = {
    "Berger",  "Keller", "Vogel",    "Brandt",  "Lorenz", "Seidel", "Winter",   "Sommer",
    "Kraus",   "Haas",   "Albrecht", "Busch",   "Horn",   "Pohl",   "Arnold",   "Jansen",
    "Ziegler", "Ritter", "Engel",    "Novak",   "Petrov", "Rossi",  "Dubois",   "Larsen",
    "Silva",   "Kaya",   "Nagy",     "Horvat",  "Costa",  "Moreau", "Lindgren", "Okafor",
    "Haddad",  "Tanaka", "Nguyen",   "Castillo"};

/* Codes count through the first names of women, then of men, with all families for each. */
static void format_name(uint32_t code, char text[NETWORK_TEXT + 1])
{
    uint32_t first = code / NAMES_FAMILIES;
    snprintf(text, NETWORK_TEXT + 1, "%s %s",
             first < NAMES_FIRST ? women[first] : men[first - NAMES_FIRST],
             families[code % NAMES_FAMILIES]);
}

/* Both parts follow a Zipf law, as names do: the first ones are the most frequent. */
static uint32_t weigh_name(const value *v, const value *const *given)
{
    uint32_t first = v->code / NAMES_FAMILIES, female = first < NAMES_FIRST;
    if (given[0]->code < 2 && female == given[0]->code)
        return 0;
    return 6000 / (first % NAMES_FIRST + 3) * (600 / (v->code % NAMES_FAMILIES + 2));
}

/* Well paid jobs are insured privately more often: each kind of insurance has a number for them
 * behind its weight. */
static uint32_t weigh_insurance(const value *v, const value *const *given)
{
    static const uint8_t well_paid[] = {1, 2, 3, 5, 6, 10, 12, 22, 23, 25}; /* codes of jobs */
    for (size_t i = 0; i < sizeof well_paid; i++)
        if (given[0]->code == well_paid[i])
            return v->numbers[0];
    return v->weight;
}

/* What a disease brings along, behind its six factors for ages and three for sexes. */
enum { DISEASE_WARD = 9, DISEASE_STAY, DISEASE_SEASON };
enum { ALL_YEAR, WINTER, SUMMER };
enum { MEDICINE, PAEDIATRICS = 5, INTENSIVE = 9 }; /* wards */

/* Nine in ten lie where their disease belongs; children go to paediatrics as far as they can. */
static uint32_t weigh_ward(const value *v, const value *const *given)
{
    uint32_t ward = v->code, usual = given[0]->numbers[DISEASE_WARD], band = given[1]->code;
    bool child = band == CHILD;
    if (ward == PAEDIATRICS)
        return child ? 900 : usual == PAEDIATRICS && band == YOUTH ? 300 : 0;
    if (ward == usual)
        return child ? 60 : 900;
    return ward == INTENSIVE ? 40 : ward == MEDICINE ? (child ? 10 : 60) : 0;
}

/* Days from 2023-01-01 on, a Sunday. */
static void format_day(uint32_t code, char text[NETWORK_TEXT + 1])
{
    int64_t year;
    unsigned month, day;
    text_civil(text_days(2023, 1, 1) + code, &year, &month, &day);
    snprintf(text, NETWORK_TEXT + 1, "%04u-%02u-%02u", (unsigned)year % 10000, month % 100,
             day % 100);
}

/* Few are admitted at weekends, many on Mondays, and some diseases have a season. */
static uint32_t weigh_day(const value *v, const value *const *given)
{
    int64_t year;
    unsigned month, day;
    text_civil(text_days(2023, 1, 1) + v->code, &year, &month, &day);
    uint32_t weekday = (v->code + 6) % 7, season = given[0]->numbers[DISEASE_SEASON];
    uint32_t weight = weekday >= 5 ? 60 : weekday == 0 ? 130 : 100;
    bool winter = month <= 3 || month == 12, summer = month >= 6 && month <= 8;
    if (season == WINTER)
        return winter ? weight * 4 : summer ? weight : weight * 2;
    if (season == SUMMER)
        return summer ? weight * 4 : winter ? weight : weight * 2;
    return weight * 2;
}

/* A hump around the disease's usual stay with a heavy tail; the old stay longer. */
static uint32_t weigh_stay(const value *v, const value *const *given)
{
    uint32_t days = v->code + 1;
    uint32_t usual = given[0]->numbers[DISEASE_STAY] * (8 + given[1]->code) / 10 + 1;
    uint32_t away = days > usual ? days - usual : 2 * (usual - days);
    uint32_t scaled = 10 * away * away / usual;
    return 4000000 / (10 + scaled * (2 + scaled / 20));
}

const profile profile_hospital = {
    .name = "hospital",
    .summary = "hospital admissions: 12 columns, disease is sensitive",
    .columns = "pid name age sex zip job admitted site ward disease stay insurance",
    .hierarchies = "job insurance disease",
    .study = study_hospital,
    .study_length = &study_hospital_length,
    .nodes =
        {
            /* A group of ages is drawn first, then an age in it: other variables depend on the
             * group, since tables for single years would be fifteen times as large. */
            {"band", .values = "0-14=8, 15-29=11, 30-44=15, 45-59=20, 60-74=26, 75-99=20"},
            {"sex", .values = "female=507, male=488, diverse=5"},
            {"age", .given = "band", .weight = weigh_age,
             .values = "0..14=0 0, 15..29=0 1, 30..44=0 2, 45..59=0 3, 60..74=0 4, 75..99=0 5"},
            {"site", .values = "north=30, south=25, east=18, west=15, centre=12"},
            {"zip", .given = "site", .weight = weigh_zip, .missing = 120,
             .count = SITES * AREAS * ZIPS, .format = format_zip},
            {"job", .given = "band sex", .weight = weigh_job, .missing = 250,
             .values = "administration/services: clerk=60, accountant=26, civil servant=34\n"
                       "administration/services: lawyer=9\n"
                       "health/services: nurse=34, physician=11, pharmacist=5, carer=24\n"
                       "education/services: teacher=32, kindergarten teacher=16, professor=3\n"
                       "trade/services: shop assistant=48, merchant=16\n"
                       "hospitality/services: cook=22, waiter=17, cleaner=30\n"
                       "crafts/production: electrician=22, carpenter=14, plumber=12, baker=9\n"
                       "industry/production: mechanic=27, machine operator=33, engineer=24\n"
                       "industry/production: software developer=20\n"
                       "transport/production: driver=28, pilot=1\n"
                       "agriculture/production: farmer=11, forester=2\n"
                       "in education/not working: pupil=10, student=30\n"
                       "without work/not working: retired=40, homemaker=30, unemployed=40\n"
                       "arts/services: musician=2, writer=1"},
            {"insurance", .given = "job", .weight = weigh_insurance, .missing = 180,
             .values = "statutory: public=80 401, public with supplement=10 200\n"
                       "other: private=8 640, self-paying=1 6, none=1 6"},
            /* How often each disease is there, per cent of it by band and by sex (at most 300 x 380
             * x 200, and the sum stays below the 2^32 that alias_build allows), then ward, stay and
             * season. */
            {"disease", .given = "band sex",
             .values =
                 "circulatory/internal: hypertension=300 0 10 60 150 150 130 95 105 100 1 3 0\n"
                 "circulatory/internal: heart failure=260 1 5 20 80 160 260 95 105 100 1 8 0\n"
                 "respiratory/internal: influenza=230 150 80 80 80 110 160 100 100 100 0 4 1\n"
                 "respiratory/internal: pneumonia=210 100 40 50 70 130 220 95 110 100 0 7 1\n"
                 "digestive/internal: gastroenteritis=180 320 140 90 70 70 90 100 100 100 0 3 2\n"
                 "musculoskeletal/locomotor: osteoarthritis=170 0 5 25 110 190 170 125 75 100 3 7 "
                 "0\n"
                 "metabolic/internal: type 2 diabetes=160 1 10 50 120 160 140 90 110 100 0 5 0\n"
                 "injury/locomotor: hip fracture=130 5 10 15 40 120 360 140 60 100 3 12 1\n"
                 "injury/locomotor: concussion=120 380 230 90 60 50 70 80 120 100 2 2 2\n"
                 "digestive/internal: appendicitis=110 260 270 110 60 40 25 90 110 100 2 3 0\n"
                 "digestive/internal: gallstones=105 5 60 120 140 120 90 135 65 100 2 4 0\n"
                 "respiratory/internal: asthma=100 330 130 80 70 70 60 105 95 100 0 4 1\n"
                 "nervous system/nerves and mind: stroke=100 3 10 30 80 150 240 92 108 100 4 11 0\n"
                 "circulatory/internal: heart attack=95 0 5 40 130 160 150 55 145 100 1 6 0\n"
                 "mental/nerves and mind: depression=90 20 170 170 150 60 40 130 70 180 8 24 1\n"
                 "tumour/growths: breast cancer=80 0 10 90 160 140 100 199 1 60 6 6 0\n"
                 "tumour/growths: prostate cancer=75 0 0 5 70 210 160 0 200 60 7 7 0\n"
                 "injury/locomotor: wrist fracture=75 230 90 60 80 110 130 115 85 100 3 2 1\n"
                 "musculoskeletal/locomotor: back pain=70 5 70 140 150 100 60 100 100 100 3 4 0\n"
                 "respiratory/internal: bronchitis=65 190 50 50 70 120 150 95 105 100 0 4 1\n"
                 "tumour/growths: colon cancer=55 0 5 30 90 170 190 90 110 100 7 9 0\n"
                 "nervous system/nerves and mind: epilepsy=45 230 130 80 70 80 90 95 105 100 4 4 "
                 "0\n"
                 "mental/nerves and mind: alcohol dependence=42 1 90 180 190 70 10 45 155 100 8 13 "
                 "0\n"
                 "reproductive/internal: endometriosis=38 2 260 260 60 1 0 200 0 60 6 3 0\n"
                 "urinary/internal: kidney stones=36 5 80 150 150 100 50 70 130 100 2 3 2\n"
                 "digestive/internal: hernia=34 130 50 80 120 120 90 30 170 100 2 2 0\n"
                 "nervous system/nerves and mind: migraine=30 60 190 180 110 40 15 150 50 100 4 2 "
                 "0\n"
                 "respiratory/internal: tonsillitis=28 360 230 70 30 10 5 105 95 100 2 4 1\n"
                 "tumour/growths: lung cancer=26 0 2 20 110 200 130 80 120 100 7 9 0\n"
                 "mental/nerves and mind: anxiety disorder=24 60 210 180 100 40 25 135 65 180 8 16 "
                 "0\n"
                 "infection/internal: hepatitis=14 30 100 150 140 80 50 80 120 100 0 6 0\n"
                 "infection/internal: hiv infection=10 3 140 220 130 30 5 45 155 150 0 8 0\n"
                 "mental/nerves and mind: schizophrenia=9 3 250 200 90 40 15 85 115 100 8 28 0\n"
                 "infection/internal: tuberculosis=7 50 120 120 100 90 110 75 125 100 0 18 0\n"
                 "nervous system/nerves and mind: multiple sclerosis=6 3 160 240 120 30 5 145 55 "
                 "100 4 6 0\n"
                 "metabolic/internal: type 1 diabetes=6 380 160 70 40 20 10 95 105 100 0 5 0\n"
                 "infection/internal: malaria=3 60 160 160 100 60 20 70 130 100 0 5 2\n"
                 "metabolic/internal: cystic fibrosis=2 350 200 50 5 1 0 100 100 100 5 12 0\n"
                 "metabolic/internal: haemophilia=1 260 150 90 50 30 20 4 196 100 0 5 0\n"
                 "nervous system/nerves and mind: huntington disease=1 1 30 170 200 80 20 100 100 "
                 "100 4 15 0"},
            {"ward", .given = "disease band", .weight = weigh_ward,
             .values = "medicine=0, cardiology=0, surgery=0, orthopaedics=0, neurology=0, "
                       "paediatrics=0, gynaecology=0, oncology=0, psychiatry=0, intensive care=0"},
            {"admitted", .given = "disease", .weight = weigh_day, .count = DAYS,
             .format = format_day},
            {"stay", .given = "disease band", .weight = weigh_stay, .values = "1..60=0"},
            {"pid", .kind = NODE_SERIAL},
            {"name", .given = "sex", .weight = weigh_name, .count = NAMES, .format = format_name},
        },
};
