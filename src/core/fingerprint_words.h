/* One word for each byte, for reading fingerprints out: short, common, in alphabetical order, and
 * no two begin with the same three letters. The order is part of the format: never change it. */
#ifndef CORE_FINGERPRINT_WORDS_H
#define CORE_FINGERPRINT_WORDS_H

static const char *const fingerprint_word[256] = {
    "able",   "acorn",   "actor",    "afraid",  "album",    "alive",   "amber",   "anchor",
    "ankle",  "apple",   "april",    "arrow",   "atlas",    "autumn",  "awake",   "badge",
    "bagel",  "baker",   "banjo",    "barn",    "basket",   "beach",   "beetle",  "berry",
    "bike",   "birch",   "blanket",  "bloom",   "boat",     "bonus",   "bottle",  "bread",
    "brick",  "bubble",  "bucket",   "butter",  "cabin",    "cactus",  "camel",   "candle",
    "carpet", "castle",  "cedar",    "chalk",   "cherry",   "chimney", "cinema",  "circus",
    "clay",   "climb",   "cloud",    "coast",   "coffee",   "copper",  "corner",  "cotton",
    "couch",  "cradle",  "cube",     "curtain", "cycle",    "daily",   "dance",   "dawn",
    "deer",   "desk",    "diamond",  "dinner",  "doctor",   "dolphin", "donkey",  "dragon",
    "dream",  "drum",    "duck",     "dust",    "eagle",    "early",   "echo",    "elbow",
    "empty",  "engine",  "envelope", "equal",   "evening",  "exit",    "fabric",  "falcon",
    "family", "feather", "fence",    "fiddle",  "finger",   "flag",    "flute",   "fog",
    "forest", "fox",     "frost",    "fruit",   "gallon",   "garden",  "gate",    "gentle",
    "ghost",  "giant",   "ginger",   "glass",   "goat",     "gold",    "grape",   "guitar",
    "hammer", "harbor",  "hazel",    "helmet",  "hero",     "hill",    "hockey",  "honey",
    "horse",  "hotel",   "igloo",    "inside",  "iron",     "island",  "ivory",   "jacket",
    "jelly",  "jewel",   "jigsaw",   "july",    "jungle",   "kettle",  "kitten",  "ladder",
    "lake",   "lamp",    "lemon",    "letter",  "lily",     "lion",    "lobster", "lucky",
    "lunch",  "magnet",  "maple",    "marble",  "meadow",   "melon",   "mirror",  "monkey",
    "moon",   "motor",   "mouse",    "muffin",  "museum",   "napkin",  "nest",    "night",
    "noodle", "north",   "novel",    "oak",     "ocean",    "olive",   "onion",   "orange",
    "orbit",  "otter",   "oven",     "owl",     "oyster",   "paddle",  "panda",   "paper",
    "parrot", "peach",   "pebble",   "pencil",  "piano",    "pigeon",  "pillow",  "planet",
    "plum",   "pocket",  "poem",     "potato",  "puzzle",   "queen",   "quick",   "rabbit",
    "radio",  "rain",    "raven",    "ribbon",  "river",    "robin",   "rocket",  "rope",
    "round",  "ruby",    "saddle",   "salmon",  "sand",     "scarf",   "school",  "shadow",
    "shell",  "silver",  "siren",    "sketch",  "smile",    "snow",    "sofa",    "soup",
    "spider", "square",  "star",     "stone",   "sugar",    "summer",  "swan",    "table",
    "teapot", "temple",  "thunder",  "ticket",  "tiger",    "toast",   "tomato",  "tower",
    "train",  "tulip",   "tunnel",   "turkey",  "umbrella", "uncle",   "under",   "valley",
    "velvet", "village", "violin",   "wagon",   "walnut",   "water",   "wheat",   "whistle",
    "window", "wolf",    "wool",     "yellow",  "yogurt",   "zebra",   "zigzag",  "zone",
};

#endif
