#!/usr/bin/env bash
# The digest of a study covers every key: for each key of the schema two studies that differ in it
# alone have different digests, except for the few keys that are no part of a study's meaning.
# usage: digest_keys.sh KITH SOURCE_DIRECTORY
set -euo pipefail
kith=$1 source=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "digest_keys: $1" >&2; exit 1; }
key=1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3
printf 'x,*\ny,*\n' >one.csv; printf 'x;*\ny;*\n' >semicolon.csv; printf 'x,z\ny,z\n' >other.csv; cp one.csv copy.csv
printf 'ä,*\ny,*\n' >umlaut.csv; printf '\344,*\ny,*\n' >latin.csv

# The parts of a study; a case replaces some of them.
usual() {
  name='s'
  a='name: a, role: quasi-identifying' b='name: b, role: quasi-identifying, type: integer, hierarchy: {intervals: [5]}, domain: {range: [0, 99]}'
  d='name: d, role: sensitive, hierarchy: {mask: right}' e='name: e, role: insensitive'
  models='{model: k-anonymity, k: 2}' more=''
}
joint() { # KEYS; parties of their own with columns: vertical
  more="$1"$'\n'"parties: [{name: n, address: \"h:7001\", key: \"sha256:1$key\"}, {name: o, address: \"h:7002\", key: \"sha256:2$key\"}, {name: p, address: \"h:7003\", key: \"sha256:3$key\"}, {name: q, address: \"h:7004\", key: \"sha256:4$key\"}]"
}
columns() { # KEYS [COLUMNS OF n]
  more="$1"$'\n'"parties: [{name: n, address: \"h:7001\", key: \"sha256:1$key\", columns: [${2:-a}]}, {name: o, address: \"h:7002\", key: \"sha256:2$key\", columns: [b, d, e]}]"
}
digest_of() {
  printf 'study: %s\ncolumns: [{%s}, {%s}, {%s}, {%s}]\nprivacy: [%s]\n%s\n' "$name" "$a" "$b" "$d" "$e" "$models" "$more" >s.yaml
  "$kith" study digest s.yaml 2>err.txt || fail "$1: $(cat err.txt s.yaml)"
}
tested=' '
pair() { # WANTED KEY ONE OTHER: both are shell code that changes parts
  usual; eval "$3"; one=$(digest_of "$2")
  usual; eval "$4"; other=$(digest_of "$2")
  [ "$1" = same ] && { [ "$one" = "$other" ] || fail "$2 changes the digest"; }
  [ "$1" = differ ] && { [ "$one" != "$other" ] || fail "the digest does not cover $2: $4"; }
  tested="$tested$2 "
}
covers() { pair differ "$@"; }
leaves_out() { pair same "$@"; }

covers study : 'name=t'
covers columns : 'd="name: d2, role: sensitive"'
covers privacy : 'models="{model: k-anonymity, k: 3}"'
covers utility : 'more="utility: {measure: em}"'
covers missing : 'more="missing: drop"'
covers missing_values : 'more="missing_values: [x]"'
covers trim : 'more="trim: true"'
covers sample : 'more="sample: 0.5"'
covers unit : 'more="unit: row"'
covers unit 'more="unit: row"; e="name: e, role: identifying"' 'more="unit: e"; e="name: e, role: identifying"'
models_of_values='models="{model: l-diversity, variant: distinct, l: 2, attribute: d}"; e="name: e, role: identifying"'
covers intersections "$models_of_values; more='unit: e'" "$models_of_values; more=\$'unit: e\nintersections: refuse'"
covers population : 'more="population: 1000"'
covers population 'more="population: 0.5"' 'more="population: 1000"'
# columns
covers name : 'a="name: a2, role: quasi-identifying"'
covers role : 'e="name: e, role: sensitive"' 
covers type : 'e="name: e, role: insensitive, type: integer"'
covers decimal 'e="name: e, role: insensitive, type: decimal"' 'e="name: e, role: insensitive, type: decimal, decimal: comma"'
covers format 'e="name: e, role: insensitive, type: date"' 'e="name: e, role: insensitive, type: date, format: \"%d.%m.%Y\""'
covers hierarchy : 'a="name: a, role: quasi-identifying, hierarchy: {mask: right}"'
covers domain : 'a="name: a, role: quasi-identifying, domain: data"'
covers min_level : 'b="$b, min_level: 1"'
covers max_level : 'b="$b, max_level: 1"'
covers microaggregate : 'b="$b, microaggregate: mean"'
covers levels 'more="algorithm: flash"' 'more="levels: {b: 1}"'
covers range : 'b="${b/99/98}"'
covers intervals : 'b="${b/5/10}"'
covers origin : 'b="${b/"[5]"/"[5], origin: 1"}"'
covers snap : 'b="${b/"[5]"/"[5], snap: true"}"'
covers mask 'a="name: a, role: quasi-identifying, hierarchy: {mask: right}"' 'a="name: a, role: quasi-identifying, hierarchy: {mask: left}"'
covers character 'a="name: a, role: quasi-identifying, hierarchy: {mask: right}"' 'a="name: a, role: quasi-identifying, hierarchy: {mask: right, character: \"#\"}"'
dates='a="name: a, role: quasi-identifying, type: date, domain: {range: [2000-01-01, 2001-01-01]}, hierarchy: {dates: [month'
covers dates "$dates]}\"" "$dates, year]}\""
covers order 'a="name: a, role: quasi-identifying, hierarchy: {order: [2]}, domain: data"' 'a="name: a, role: quasi-identifying, hierarchy: {order: [3]}, domain: data"'
covers order 'more="algorithm: mondrian"' 'more=$'"'algorithm: mondrian\norder: hierarchy'"
covers file 'a="name: a, role: quasi-identifying, hierarchy: {file: one.csv}"' 'a="name: a, role: quasi-identifying, hierarchy: {file: other.csv}"'
number='e="name: e, role: insensitive, type: integer'
covers top "$number\"" "$number, top: 9\""
covers bottom "$number\"" "$number, bottom: 0\""
covers round "$number\"" "$number, round: 5\""
covers pseudonym 'e="name: e, role: identifying"' 'e="name: e, role: identifying, pseudonym: k"'
leaves_out pseudonym 'e="name: e, role: identifying, pseudonym: j"' 'e="name: e, role: identifying, pseudonym: k"'
# utility
covers measure : 'more="utility: {measure: em}"'
covers suppression 'more="algorithm: flash"' 'more=$'"'algorithm: flash\nutility: {suppression: 0.1}'"
covers weights : 'more="utility: {weights: {a: 2}}"'
covers class : 'more="utility: {class: e}"'
covers w 'more="utility: {measure: wmi, w: 0.2}"' 'more="utility: {measure: wmi, w: 0.3}"'
# algorithms
covers algorithm : 'more="algorithm: mondrian"'
covers restarts 'more="algorithm: sequential"' 'more=$'"'algorithm: sequential\nrestarts: 2'"
covers max_passes 'more="algorithm: sequential"' 'more=$'"'algorithm: sequential\nmax_passes: 2'"
covers finish 'more="algorithm: sequential"' 'more=$'"'algorithm: sequential\nfinish: merge'"
for block in 1 2; do
  covers block 'more="algorithm: sequential"' 'more=$'"'algorithm: sequential\nblock: $block'"
  covers block 'joint $'"'partition: horizontal\nprotocol: clustering'" 'joint $'"'partition: horizontal\nprotocol: clustering\nblock: $block'"
done
covers effort : 'more="effort: best"'
covers effort 'more="effort: 2"' 'more="effort: 3"'
covers piece : 'more="piece: 5000"'
covers piece 'more="piece: 5000"' 'more="piece: 6000"'
covers mondrian 'more="algorithm: mondrian"' 'more=$'"'algorithm: mondrian\nmondrian: relaxed'"
covers ranges 'more="algorithm: mondrian"' 'more=$'"'algorithm: mondrian\nranges: true'"
# models
model() { models="{model: k-anonymity, k: 2}, {model: $1}"; }
covers model : 'model "m-privacy, k: 2"; joint "partition: horizontal"'
covers k 'model "p-sensitive, p: 2, k: 3"' 'model "p-sensitive, p: 2, k: 4"'
covers p 'model "p-sensitive, p: 2, k: 3"' 'model "p-sensitive, p: 3, k: 3"'
covers l 'model "l-diversity, l: 2"' 'model "l-diversity, l: 3"'
covers variant 'model "l-diversity, l: 2"' 'model "l-diversity, variant: distinct, l: 2"'
covers c 'model "l-diversity, variant: recursive, l: 2, c: 2"' 'model "l-diversity, variant: recursive, l: 2, c: 3"'
covers attribute 'e="name: e, role: sensitive"; model "l-diversity, l: 2, attribute: d"' 'e="name: e, role: sensitive"; model "l-diversity, l: 2, attribute: e"'
covers t 'model "t-closeness, t: 0"' 'model "t-closeness, t: 0.2"'
covers alpha 'model "alpha-k, alpha: 0.5, k: 2"' 'model "alpha-k, alpha: 0.6, k: 2"'
covers share 'more="unit: row"; model "dominance, share: 0.5"' 'more="unit: row"; model "dominance, share: 0.6"'
covers epsilon 'model "dissimilarity, epsilon: 0.5, delta: 0.4, k: 2"' 'model "dissimilarity, epsilon: 0.6, delta: 0.4, k: 2"'
covers delta 'model "delta-disclosure, delta: 2"' 'model "delta-disclosure, delta: 3"'
covers beta 'model "beta-likeness, beta: 2"' 'model "beta-likeness, beta: 3"'
covers m 'model "m-invariance, m: 2"' 'model "m-invariance, m: 3"'
printf 'a,d\nx,1\n' >first.csv; cp first.csv second.csv
invariant='e="name: e, role: identifying}, {name: i, role: identifying"; model "m-invariance, m: 2, id: e, previous: [first.csv]"'
covers id "$invariant" "${invariant/id: e/id: i}"
covers previous "$invariant" "${invariant/first.csv/first.csv, second.csv}"
covers values 'model "lkc, l: 2, k: 2, c: 0.5, values: [x]"' 'model "lkc, l: 2, k: 2, c: 0.5, values: [y]"'
presence='e="name: e, role: sensitive"; model "delta-presence, min: 0.1, max: 0.5, subset: {column: e, values: [x]}"'
covers min "$presence" "${presence/0.1/0.2}"
covers max "$presence" "${presence/0.5/0.6}"
covers subset "$presence" "${presence/"[x]"/"[y]"}"
covers column "$presence" "${presence/column: e/column: d}"
sites='model "l-site-diversity, variant: attributes, l: 2, attributes: [a]"; joint "partition: horizontal"'
covers attributes "$sites" "${sites/"[a]"/"[b]"}"
# joint runs
view=$'partition: horizontal\nprotocol: encrypted-view'
clusters=$'partition: horizontal\nprotocol: clustering'
split=$'partition: vertical\nprotocol: clustering\nids: i' tree=$'partition: vertical\nids: i'
covers partition : 'joint "partition: horizontal"'
covers protocol 'joint "partition: horizontal"' 'joint "$clusters"'
covers hide_sizes 'joint "$clusters"' 'joint "$clusters"$'"'\nhide_sizes: true'"
covers withhold 'joint "$clusters"' 'joint "$clusters"$'"'\nwithhold: 1'"
covers private_diversity 'model "l-diversity, l: 2"; joint "$clusters"' 'model "l-diversity, l: 2"; joint "$clusters"$'"'\nprivate_diversity: true'"
covers publish 'joint "$clusters"' 'joint "$clusters"$'"'\npublish: own-rows'"
covers publish_insensitive 'joint "$clusters"' 'joint "$clusters"$'"'\npublish_insensitive: true'"
covers noise 'columns "$split"' 'columns "$split"$'"'\nnoise: 0.1'"
covers name 'columns "$tree"' 'columns "$tree"$'"'\nname: true'"
covers pools 'columns "$tree"' 'columns "$tree"$'"'\npools: true'"
covers unmatched 'columns "$split"' 'columns "$split"$'"'\nunmatched: error'"
covers ids 'columns "$split"' 'columns "${split/ids: i/ids: aligned}"'
covers master 'joint "$view"' 'joint "$view"$'"'\nmaster: n'"
covers replicas 'joint "$view"' 'joint "$view"$'"'\nreplicas: 2'"
covers pregeneralize 'joint "$view"' 'joint "$view"$'"'\npregeneralize: {b: 1}'"
covers blur 'models="{model: k-anonymity, k: 8}"; joint "partition: horizontal"' 'models="{model: k-anonymity, k: 8}"; joint $'"'partition: horizontal\nblur: true'"
covers quiet 'joint "partition: horizontal"' 'joint $'"'partition: horizontal\nquiet: true'"
# the ID-based protocol
two() { # KEYS
  more="protocol: id-based"$'\n'"$1"$'\n'"parties: [{name: n, address: \"h:7001\", key: \"sha256:1$key\"}, {name: o, address: \"h:7002\", key: \"sha256:2$key\"}]"
}
usual; two ""
for g in one other; do "$kith" pkg init -o $g -q; mv $g/parameters.pkg $g.pkg; done
covers lists 'two ""' 'two "lists: 9"'
covers hashing 'two ""' 'two "hashing: off"'
covers pkg 'two "pkg: one.pkg"' 'two "pkg: other.pkg"'
covers period 'two "pkg: one.pkg"' 'two $'"'pkg: one.pkg\nperiod: now'"
covers reweave 'joint "partition: horizontal"' 'joint $'"'partition: horizontal\nreweave: 1'"
covers alpha 'models="$models, {model: l-site-diversity, variant: sites, l: 2}"; joint "protocol: mondrian"' 'models="$models, {model: l-site-diversity, variant: sites, l: 2}"; joint "protocol: mondrian"$'"'"'\n'"'"'"alpha: 0.5"'
covers step 'joint "protocol: mondrian"' 'b="$b, step: 7"; joint "protocol: mondrian"'
covers withhold 'joint "protocol: clustering"' 'joint "protocol: clustering"$'"'"'\n'"'"'"withhold: 1"'
covers again 'joint "partition: horizontal"' 'joint $'"'partition: horizontal\nagain: true'"
covers rows 'joint "partition: horizontal"' 'joint $'"'partition: horizontal\nrows: 100'"
covers withhold 'joint "protocol: clustering"' 'joint $'"'protocol: clustering\nwithhold: 1'"
covers parties 'joint "partition: horizontal"' 'joint "partition: horizontal"; more="${more/name: o/name: r}"'
covers address 'joint "partition: horizontal"' 'joint "partition: horizontal"; more="${more/7001/7009}"'
covers key 'joint "partition: horizontal"' 'joint "partition: horizontal"; more="${more/1f6d/5f6d}"'
covers columns 'columns "$split"' 'columns "$split" "a, b"; more="${more/"[b, d, e]"/"[d, e]"}"'
persons='e="name: e, role: identifying"; joint $'"'unit: e\npartition: horizontal"
covers overlap "$persons'" "$persons\noverlap: none'"
covers overlap "$persons\noverlap: none'" "$persons\noverlap: matched'"
covers match "$persons\noverlap: matched'" "$persons\noverlap: matched\nmatch: case'"
covers match "$persons\noverlap: matched\nmatch: case'" "$persons\noverlap: matched\nmatch: digits'"
covers timeout 'joint "partition: horizontal"' 'joint $'"'partition: horizontal\ntimeout: 7'"
covers limit 'joint "partition: horizontal"' 'joint $'"'partition: horizontal\nlimit: 2h'"
virtual=$'partition: horizontal\npublish: virtual'
client="clients: [{name: c, key: \"sha256:5$key\"}]"
covers clients 'joint "$virtual"' 'joint "$virtual"$'"'\n'"'"$client"'
covers clients 'joint "$virtual"$'"'\n'"'"$client"' 'joint "$virtual"$'"'\n'"'"${client/name: c/name: d}"'
covers clients 'joint "$virtual"$'"'\n'"'"$client"' 'joint "$virtual"$'"'\n'"'"${client/sha256:5/sha256:6}"'
covers queries 'joint "$virtual"' 'joint "$virtual"$'"'\nqueries: {rows: true}'"
covers per_day 'joint "$virtual"' 'joint "$virtual"$'"'\nqueries: {per_day: 7}'"
# No part of what a study means: where files are and how they are written, data that a party may keep
# elsewhere, and a key with one possible value.
leaves_out file 'a="name: a, role: quasi-identifying, hierarchy: {file: one.csv}"' 'a="name: a, role: quasi-identifying, hierarchy: {file: copy.csv}"'
leaves_out encoding 'a="name: a, role: quasi-identifying, hierarchy: {file: umlaut.csv}"' 'a="name: a, role: quasi-identifying, hierarchy: {file: latin.csv, encoding: WINDOWS-1252}"'
leaves_out separator 'a="name: a, role: quasi-identifying, hierarchy: {file: one.csv}"' 'a="name: a, role: quasi-identifying, hierarchy: {file: semicolon.csv, separator: \";\"}"'
leaves_out population 'model "k-map, k: 2, population: one.csv"' 'model "k-map, k: 2, population: other.csv"'
leaves_out memory : 'more="memory: 2GB"'
leaves_out norm 'more="utility: {measure: pmi}"' 'more="utility: {measure: pmi, norm: 1}"'
# No key of the schema was forgotten here.
known=$(grep -ohE '\{"[a-z_]+", (true|false), NULL\}' "$source"/src/study/schema/*.c | cut -d'"' -f2
  grep -ohE 'KEY\([A-Z_]+, "[a-z_]+"' "$source"/src/study/schema/schema.h | cut -d'"' -f2
  grep -ohE 'add_key\(&keys, "[a-z]+"' "$source"/src/study/schema/*.c | cut -d'"' -f2
  grep -ohE '(WHOLE|REAL)\([a-z]+, [0-9]' "$source"/src/study/schema/*.c | sed 's/.*(//; s/,.*//')
[ "$(wc -l <<<"$known")" -gt 60 ] || fail "the keys of the schema were not found"
for key in $known; do
  case $tested in *" $key "*) ;; *) fail "no case for the key $key" ;; esac
done
echo "$(sort -u <<<"$known" | wc -l) keys"
