# Shared by the experiments: the Adult table as CSV, studies, runs, curves.
# Source it after `set -eu`, with the arguments of the script: DATA BUILD.
[ $# -ge 1 ] || { echo "usage: $0 DATA [BUILD]    (DATA holds adult-uci/)" >&2; exit 2; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
uci=$(realpath "$1")/adult-uci
build=$(realpath "${2:-$here/../../build/release}")
[ -f "$uci/adult.data" ] || { echo "$0: skipped, $1 has no adult-uci/" >&2; exit 0; }
cmake --build "$build" --target seq_run > /dev/null
out=$(dirname "$build")/experiments
mkdir -p "$out"
trap 'rm -f "$out/study-$$.yaml"' EXIT

columns=(age workclass fnlwgt education education-num marital-status occupation relationship race
         sex capital-gain capital-loss hours-per-week native-country classification)

# One CSV of both files: no blanks, no records with missing values, no dots behind the classes.
adult=$out/adult.csv
[ -f "$adult" ] || { (IFS=,; echo "${columns[*]}"); awk 'FNR > 1 && !/\?/ && NF {
    gsub(/[ \r]/, ""); sub(/\.$/, ""); print }' "$uci/adult.data" "$uci/adult.test"; } > "$adult"

# extract N → the path of a random extract of N records, the same every time
extract() {
    local path=$out/adult-$1.csv
    [ -f "$path" ] || { head -n 1 "$adult"; awk 'BEGIN { r = 42 } NR > 1 {
        r = (r * 16807) % 2147483647; print r "\t" $0 }' "$adult" | sort -n > "$path.sorted"
        head -n "$1" "$path.sorted" | cut -f 2; rm "$path.sorted"; } > "$path"
    echo "$path"
}

# study SENSITIVE QUASI-IDENTIFIERS MODELS OTHER-LINES  → the path of a study on the Adult table
study() {
    local path=$out/study-$$.yaml name type
    {
        echo "study: adult"
        echo "columns:"
        for name in "${columns[@]}"; do
            type=string
            case $name in age | fnlwgt | education-num | capital-* | hours-*) type=integer ;; esac
            if [ "$name" = "$1" ]; then echo "  - {name: $name, role: sensitive}"
            elif [[ " $2 " = *" $name "* ]]; then
                echo "  - {name: $name, role: quasi-identifying, type: $type, hierarchy: suppress}"
            fi
        done
        echo "privacy:"
        printf '  - %s\n' "${@:3:1}"
        [ -z "${4:-}" ] || printf '%s\n' "$4"
    } > "$path"
    echo "$path"
}

# The lines of a study that ask for an algorithm as the paper has it.
as_in_the_paper() {
    echo "algorithm: $1"
    if [ "$1" = sequential ]; then echo "finish: merge"; fi
}

all_but_class="${columns[*]:0:14}"
run() { "$build/bench/seq_run" "$@"; }
plot() { local in=$1 svg=$2; shift 2; awk -f "$here/plot.awk" "$@" "$in" > "$svg"; }
