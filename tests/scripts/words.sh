#!/usr/bin/env bash
# What is printed about rows speaks of records, unless the study says what a person is (unit). And no page says
# that a release is safe: it says which promises of the study are kept. Help, studies, summaries, verdicts, reports
# and pages of the console are searched for the words.
set -eu
kith=$1 source=$2
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
fail() { echo "words: $1"; exit 1; }

mkdir said
while read -r command _; do
  "$kith" "$command" --help >"said/help-$command.txt"
done < <("$kith" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
for verb in "study init" "study check" "hierarchy build" "hierarchy show"; do
  # shellcheck disable=SC2086
  "$kith" $verb --help >"said/help-${verb/ /-}.txt"
done

for profile in hospital adult survey; do
  "$kith" generate $profile -n 400 -o $profile.csv --seed 1 >"said/generate-$profile.txt"
  cp $profile.study.yaml "said/generate-$profile.yaml"
done
"$kith" describe hospital.csv >said/describe.txt
"$kith" study init hospital.csv -o said/init.yaml -q
printf '%s\n' 'patid,age,dx' 1,30,a 1,30,a 1,30,b 2,40,b 2,40,a 3,40,c >cases.csv
printf '%s\n' 'study: s' 'columns: [{name: age, role: quasi-identifying}, {name: dx, role: sensitive}]' \
  'privacy: [{model: k-anonymity, k: 2}]' >cases.yaml
"$kith" study check cases.yaml cases.csv >said/check.txt 2>&1
sed 's/privacy:/privacy:\n  - {model: k-map, k: 2, population: hospital.csv}/' hospital.study.yaml >map.yaml
for study in hospital.study map; do
  "$kith" anonymize $study.yaml -i hospital.csv -o $study.r.csv --explain --report said/$study.html \
    --summary $study.json --seed 1 -f >said/anonymize-$study.txt 2>&1
  "$kith" verify $study.yaml $study.r.csv --data hospital.csv >said/verify-$study.txt 2>&1
  "$kith" verify $study.yaml hospital.csv >said/broken-$study.txt 2>&1 || true
  "$kith" measure $study.yaml hospital.csv $study.r.csv --population 9000 >said/measure-$study.txt 2>&1
  "$kith" report $study.json --release $study.r.csv -o said/$study-internal.html --internal \
    --study $study.yaml --data hospital.csv -q
done
"$kith" simulate hospital.study.yaml -i hospital.csv --sites 3 -o run --in-process --no-progress >said/simulate.txt 2>&1
"$kith" report run -o said/joint.html -q
# All that the parties of a joint run leave, of every protocol, and what a dry run says.
for split in horizontal-weave horizontal-clustering horizontal-mondrian horizontal-encrypted-view vertical-weave vertical-clustering; do
  printf '%s\n' "partition: ${split%%-*}" "protocol: ${split#*-}" | cat hospital.study.yaml - >joint.yaml
  "$kith" simulate joint.yaml -i hospital.csv --sites 3 -o $split --in-process --no-progress >said/$split.txt 2>&1
  for file in $split/summary.json $split/*.meta.json $split/site1/*.json $split/site1/ledger.txt; do
    cp "$file" "said/$split-$(tr / - <<<"${file#*/}")"
  done
  "$kith" report $split -o said/$split.html -q
done
for site in north south; do
  port=$((${port:-$((20000 + RANDOM % 12000))} + 1))
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
  "$kith" cert init $site -o $site.key --address "127.0.0.1:$port" --party $site.party -q
done
printf '%s\n' 'partition: horizontal' | cat hospital.study.yaml - >base.yaml
"$kith" study join base.yaml north.party south.party -o parties.yaml -q
for site in north south; do
  "$kith" party parties.yaml --as $site --key $site.key -i hospital.csv --dry-run >said/dry-$site.txt 2>&1 &
done
wait
grep -q '^yes: all parties' said/dry-north.txt || fail "$(cat said/dry-north.txt)"
# Who says what a person is, is told of persons.
sed 's/^privacy:/unit: row\nprivacy:/' hospital.study.yaml >row.yaml
printf '%s\n' 'study: s' 'columns: [{name: patid, role: identifying}, {name: age, role: quasi-identifying}]' \
  'privacy: [{model: k-anonymity, k: 2}]' 'unit: patid' >patid.yaml
for study in row patid; do
  data=cases.csv; [ $study = patid ] || data=hospital.csv
  "$kith" anonymize $study.yaml -i $data -o $study.r.csv --report $study.html --summary $study.json --seed 1 >$study.txt 2>&1
  grep -q "every person shares all quasi-identifiers" $study.txt || fail "$study: $(cat $study.txt)"
  grep -q "every person shares all quasi-identifiers" $study.html || fail "the report of $study speaks of records"
  ! grep -q "Models count records" $study.html || fail "the report of $study says that records are counted"
  ! grep -q "if [a-z]* is a person" $study.txt || fail "$study: $(cat $study.txt)"
done
[ -s said/hospital.study.html ] || fail "there is no report"
grep -q "Does the release keep the study.s promises" said/hospital.study.html || fail "the first card asks something else"
grep -q "every record shares all quasi-identifiers" said/verify-hospital.study.txt || fail "$(cat said/verify-hospital.study.txt)"

# What a study may say of persons, and what a column of numbers that repeats may mean.
told='Models that count persons \(unit: in the study\)|models count persons who are not known'
told="$told|if each row is one person; otherwise the columns that tell persons apart"
told="$told|if [a-z]+ is a person, models must count people"
# Scripts and styles of reports are not what they say. That a column identifies people says nothing about rows.
for file in said/*; do
  sed '/<script>/,/<\/script>/d; /<style>/,/<\/style>/d' "$file" | tr -s '\n ' ' ' |
    sed -E "s/identif(y|ies) people//g; s/$told//g" >one
  ! grep -oiE '.{0,40}\b(persons?|people|somebody.s|someone.s)\b.{0,40}' one || fail "$file speaks of people"
  case $file in
    *.html) ! grep -oiE '.{0,40}\b(un)?safe(ly|ty)?\b.{0,40}' one || fail "$file says what is safe" ;;
  esac
done

# The pages of the console: what stands in texts and markup, not in comments.
for file in "$source"/console/web/*.js "$source"/console/web/*.html; do
  ! grep -vE '^ *(//|\*|/\*)|unit' "$file" | grep -niE '\b(a|every|one|each) person\b|\bpersons\b|\bis (it )?safe\b' || fail "$file"
done

# Paragraphs and rows of tables, without those that are about the key unit.
without_unit() {
  awk 'function flush() { if (text !~ /`unit|#people|#persons|people\.md/) print text; text = "" }
       /^#/ { flush(); skip = /^#+ (People|Persons)/ } /^\|/ || /^$/ { flush() } !skip { text = text "\n" $0 } END { flush() }' "$1"
}
# Documents and messages. People are readers, those who run Kith, whom an attacker knows, whom a column names or who are
# invented; `people` is a table of the examples for Python. Rows are none of them.
about='(for|same) people( to| may| who| in|[.),]| \||$)|people who do not like|about people and|All people, places'
about="$about"'|identif(y|ies) people|some of the people|person who runs|no real person|Texts for people'
for file in "$source"/README.md "$source"/docs/*.md "$source"/docs/protocols/*.md "$source"/bench/notes/*.md; do
  case $file in */python.md | */people.md | */persons.md) continue ;; esac
  ! without_unit "$file" | sed -E "s/$about//g; s/\"study\": \"people\"//" | grep -niE '\b(persons?|people)\b' || fail "$file speaks of people"
done
# Messages of files that look at no units; smc/homes is run for studies with units alone.
while read -r file; do
  grep -qE '\b(n_units?|by_units|unit_row|TRAIT_PERSONS|units_refuse_model)\b|"homes"|(->|\.)units?\b|"units"|persons"|largest_part"|_persons\(' "$file" || fail "a message of $file speaks of persons"
done < <(grep -rlE '"[^"]*\b(persons|(a|every|each|same) person)\b[^"]* [^"]*"' "$source"/src "$source"/cli --include='*.c' | grep -vE '/src/(generate/|smc/homes\.c)')
echo "records are records"
