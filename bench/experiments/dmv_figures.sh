#!/usr/bin/env bash
# usage: bench/experiments/dmv_figures.sh DATA [BUILD]
# DMV section 5 on Adult, 30,162 records, 8 quasi-identifiers and a city: Figure 4 (mean class size
# against k, 3 sites in turn: centralized, distributed, each site alone) and Figures 6 to 9 (mean
# error of 10,000 counting queries against alpha, k, l and the number of sites; 100 sites unless
# said otherwise, distributed by city and age as in section 5.2), with the entropy as Kith and as the paper
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

# Hierarchies of two levels: values are public, so that sites need not unite them.
flat=$out/dmv-flat; mkdir -p "$flat"
awk -F, -v dir="$flat" 'NR == 1 { for (j = 1; j <= NF; j++) name[j] = $j; next }
    { for (j = 1; j <= 10; j++) if (!seen[j, $j]++) print $j ";*" > (dir "/" name[j] ".csv") }' "$data"

# study HOW MODELS LINE…: HOW is "values" (cut in the order of values) or "trees" (the hierarchies).
study() {
    local path=$out/study-$$.yaml name hierarchy how=$1 models=$2 step= off=
    shift 2
    # The paper knows no m-privacy.
    [[ "$*" != *"protocol: mondrian"* ]] || { step="step: 1,"; off=", {model: m-privacy, k: 0}"; }
    {
        echo "study: dmv"
        echo "columns:"
        for name in sex age race marital-status education native-country workclass salary-class city; do
            hierarchy=\"$flat/$name.csv\"
            [ "$how" = values ] || [ $name = city ] || hierarchy=\"$arx/adult_hierarchy_$name.csv\"
            [ $name != age ] || hierarchy="{intervals: [5, 10, 20, 40]}, type: integer, $step domain: {range: [17, 90]}"
            echo "  - {name: $name, role: quasi-identifying, hierarchy: $hierarchy}"
        done
        echo "privacy: [$models$off]"
        printf '%s\n' "$@"
    } > "$path"
    echo "$path"
}
joint=$'partition: horizontal\nprotocol: mondrian\norder: value'
k_and_l() { echo "{model: k-anonymity, k: $1}, {model: l-site-diversity, variant: sites, l: $2}"; }
line_of() { "$build/bench/dmv_run" "$@"; }
# error K L ALPHA SITES [ENTROPY]: the mean error
error() {
    line_of "$(study values "$(k_and_l "$1" "$2")" "$joint" "alpha: $3")" "$data" "site-$4" "${5:-protocol}" |
        cut -f 5
}
show() { echo "$1"; column -t -s $'\t' "$2"; }
number() { sed -n 's/^[[:space:]]*"'"$2"'":[[:space:]]*\([0-9.e+-]*\),*$/\1/p' "$1" | head -1; }

# Figure 4. The sites alone: classes of their releases put together.
tsv=$out/dmv_figure_4.tsv
printf 'k\tcentralized\tdistributed\tindependent\tlm\tlm independent\n' > "$tsv"
for k in 5 10 25 50 100 200; do
    s=$(study values "{model: k-anonymity, k: $k}" "$joint")
    "$kith" anonymize "$s" -i "$data" -o "$scratch/r.csv" -f -q --summary "$scratch/one.json"
    "$kith" simulate "$s" -i "$data" -o "$scratch/joint" -f -q --sites 3 --split by:in-turn \
        --in-process --baseline
    sed -n '/"baseline":.*{/,$p' "$scratch/joint/summary.json" > "$scratch/alone.json"
    awk -v OFS='\t' -v k="$k" -v one="$(number "$scratch/one.json" classes)" \
        -v joint="$(number "$scratch/joint/summary.json" classes)" \
        -v alone="$(number "$scratch/alone.json" classes)" \
        -v lm="$(number "$scratch/joint/summary.json" lm)" -v other="$(number "$scratch/alone.json" lm)" \
        'BEGIN { n = 30162; printf "%d\t%.1f\t%.1f\t%.1f\t%.4f\t%.4f\n", k, n / one, n / joint, n / alone, lm, other }' >> "$tsv"
done
plot <(cut -f 1-4 "$tsv") "$out/dmv_figure_4.svg" -v title="DMV Figure 4: mean class size, three sites" \
    -v xlabel=k -v ylabel=records
show "Figure 4" "$tsv"

# Figure 6, for three l, and the forms of the entropy for l = 30.
tsv=$out/dmv_figure_6.tsv
printf 'alpha\tl = 10\tl = 30\tl = 50\tas printed, l = 30\tweighted, l = 30\n' > "$tsv"
for alpha in 0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1; do
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' $alpha "$(error 200 10 $alpha 100)" "$(error 200 30 $alpha 100)" \
        "$(error 200 50 $alpha 100)" "$(error 200 30 $alpha 100 printed)" "$(error 200 30 $alpha 100 weighted)" >> "$tsv"
done
plot "$tsv" "$out/dmv_figure_6.svg" -v title="DMV Figure 6: query error, k = 200, 100 sites" -v xlabel=alpha \
    -v ylabel="mean relative error"
show "Figure 6" "$tsv"

# curve FIGURE XLABEL TITLE "K L SITES"…: range alone, sites alone, both; both as printed and weighted.
curve() {
    local tsv=$out/dmv_figure_$1.tsv figure=$1 xlabel=$2 title=$3 x k l sites
    shift 3
    printf '%s\trange alone\tsites alone\tboth\tboth, as printed\tboth, weighted\n' "$xlabel" > "$tsv"
    for setting in "$@"; do
        read -r k l sites <<< "$setting"
        case $figure in 7) x=$k ;; 8) x=$l ;; 9) x=$sites ;; esac
        printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$x" "$(error "$k" "$l" 1 "$sites")" "$(error "$k" "$l" 0 "$sites")" \
            "$(error "$k" "$l" 0.3 "$sites")" "$(error "$k" "$l" 0.3 "$sites" printed)" \
            "$(error "$k" "$l" 0.3 "$sites" weighted)" >> "$tsv"
    done
    plot "$tsv" "$out/dmv_figure_$figure.svg" -v title="DMV Figure $figure: $title" -v xlabel="$xlabel" \
        -v ylabel="mean relative error"
    show "Figure $figure" "$tsv"
}
curve 7 k "query error, l = 30, 100 sites" "50 30 100" "100 30 100" "150 30 100" "200 30 100" \
    "300 30 100" "400 30 100" "500 30 100"
curve 8 l "query error, k = 200, 100 sites" "200 2 100" "200 10 100" "200 20 100" "200 30 100" \
    "200 40 100" "200 50 100" "200 60 100"
curve 9 sites "query error, k = 200, l = 30" "200 30 50" "200 30 75" "200 30 100" "200 30 150" "200 30 200"

# The same queries on other releases. Only the first three are about sites.
tsv=$out/dmv_others.tsv
k200="{model: k-anonymity, k: 200}"
trees=${joint%$'\n'*}
printf 'release\tclasses\tmean size\tleast sites\tlm\tmean error\tmedian\t95%%\n' > "$tsv"
other() { printf '%s\t%s\n' "$1" "$(line_of "$2" "$data" site-100 "${3:-protocol}")" >> "$tsv"; }
other "mondrian, l = 30" "$(study values "$(k_and_l 200 30)" "$joint")"
other "mondrian, l = 30, weighted" "$(study values "$(k_and_l 200 30)" "$joint")" weighted
other "mondrian, l = 30, hierarchies" "$(study trees "$(k_and_l 200 30)" "$trees")"
other "mondrian, k alone" "$(study values "$k200" "$joint")"
other "mondrian, k alone, hierarchies" "$(study trees "$k200" "$trees")"
other "weave" "$(study trees "$k200" "algorithm: weave")"
other "clustering" "$(study trees "$k200" "algorithm: sequential")"
show "Other releases, k = 200" "$tsv"

# The real protocol: 100 sites, k = 200, l = 30. Its release must have the classes of the curves.
s=$(study values "$(k_and_l 200 30)" "$joint")
"$kith" simulate "$s" -i "$data" -o "$scratch/joint" -f --sites 100 --split by:site-100 --in-process --seed 1
"$kith" measure "$s" "$data" "$scratch/joint/release.csv" --queries 10000 --seed 1 --json > "$scratch/m.json"
real=$(printf '%d\t%.4f\t%.4f' "$(number "$scratch/joint/summary.json" classes)" \
    "$(number "$scratch/joint/summary.json" lm)" \
    "$(number "$scratch/m.json" error_mean)")
plain=$(line_of "$s" "$data" site-100 | cut -f 1,4,5)
[ "$real" = "$plain" ] || { echo "$0: the protocol gives $real, its reference $plain" >&2; exit 1; }
echo "the protocol and its reference give the same: classes, lm, mean error $real"
