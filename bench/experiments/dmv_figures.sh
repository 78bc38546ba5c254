#!/usr/bin/env bash
# usage: bench/experiments/dmv_figures.sh DATA [BUILD]
# DMV section 5 on Adult, 30,162 records, 8 quasi-identifiers and a city: Figure 4 (mean class size
# against k, 3 sites in turn: centralized, distributed, each site alone) and Figures 6 to 9 (mean
# error of 10,000 counting queries against alpha, k, l and the number of sites; 100 sites unless
# said otherwise, dealt by city and age as in section 5.2), with the entropy as Kith and as the paper
# writes it; then other algorithms on the same queries, and one run of the real protocol with 100
# sites, whose classes must be those of the curves. All columns are cut in the order of their
# values, as in the paper. Writes dmv_figure_{4,6,7,8,9}.{tsv,svg}, dmv_others.tsv.
set -eu
. "$(dirname "$0")/common.bash"
arx=$(dirname "$uci")/adult-arx
[ -f "$arx/adult.csv" ] || { echo "$0: skipped, $1 has no adult-arx/" >&2; exit 0; }
cmake --build "$build" --target dmv_run kith > /dev/null
kith=$build/kith
scratch=$(mktemp -d); trap 'rm -rf "$scratch" "$out/study-$$.yaml"' EXIT
numbers=(25 50 75 100 150 200) # of sites

# A sixth of the sites belongs to each city; of those the first third has the people under 25, the
# second those up to 55, the last the others. Cities and sites of a group are drawn at random.
data=$out/dmv.csv
awk -F';' -v numbers="${numbers[*]}" '
    function draw(n) { r = (r * 16807) % 2147483647; return int(r / 2147483647 * n) }
    function site(n, city, third,   first, size, low, high) {
        first = int(city * n / 6); size = int((city + 1) * n / 6) - first
        low = int(third * size / 3); high = int((third + 1) * size / 3)
        return first + low + draw(high - low)
    }
    BEGIN { r = 42; OFS = ","; count = split(numbers, n, " ") }
    { gsub(/\r/, "") }
    NR == 1 { $1 = $1; line = $0 ",city,in-turn"; for (i = 1; i <= count; i++) line = line ",site-" n[i] }
    NR > 1 {
        city = draw(6); third = $2 < 25 ? 0 : $2 <= 55 ? 1 : 2
        $1 = $1; line = $0 ",city-" city ",turn-" NR % 3
        for (i = 1; i <= count; i++) line = line ",s" site(n[i], city, third)
    }
    { print line }' "$arx/adult.csv" > "$data"

# study HOW MODELS LINE…: HOW is "values" (cut in the order of values) or "trees" (the hierarchies).
study() {
    local path=$out/study-$$.yaml name hierarchy how=$1 models=$2
    shift 2
    {
        echo "study: dmv"
        echo "columns:"
        echo "  - {name: age, role: quasi-identifying, type: integer, step: 1,"
        echo "     hierarchy: {intervals: [5, 10, 20, 40]}, domain: {range: [17, 90]}}"
        for name in sex race marital-status education native-country workclass salary-class; do
            hierarchy=suppress
            [ "$how" = values ] || hierarchy=$arx/adult_hierarchy_$name.csv
            echo "  - {name: $name, role: quasi-identifying, hierarchy: \"$hierarchy\"}"
        done
        echo "  - {name: city, role: quasi-identifying, hierarchy: suppress}"
        echo "  - {name: occupation, role: sensitive}"
        echo "privacy: [$models]"
        printf '%s\n' "$@"
    } > "$path"
    [[ "$*" = *mondrian* ]] || sed -i 's/ step: 1,//' "$path"
    echo "$path"
}
joint=$'partition: horizontal\nprotocol: mondrian\norder: value'
k_and_l() { echo "{model: k-anonymity, k: $1}, {model: l-site-diversity, variant: sites, l: $2}"; }
line_of() { "$build/bench/dmv_run" "$@"; }
# error K L ALPHA SITES [printed]: the mean error
error() {
    line_of "$(study values "$(k_and_l "$1" "$2")" "$joint" "alpha: $3")" "$data" "site-$4" "${5:-}" | cut -f 5
}
show() { echo "$1"; column -t -s $'\t' "$2"; }
