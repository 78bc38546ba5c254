#!/usr/bin/env bash
# A key generator, two operators and two real parties over TLS: keys with a period, a renewed period,
# generators that are joined, and every wrong key refused before anyone connects.
# Usage: pkg.sh KITH …
set -u
kith=$(readlink -f "$1")
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0
fail() { echo "FAILED: $*"; failed=1; }
same() { [ "$2" = "$3" ] || fail "$1: expected '$2', saw '$3'"; }

# Ports that nobody listens on.
ports=()
port=$((20000 + RANDOM % 20000))
while [ ${#ports[@]} -lt 2 ]; do
  port=$((port + 1))
  (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || ports+=("$port")
done
sites=(north south)
for s in "${sites[@]}"; do "$kith" cert init "$s" -o "$s.key" --quiet || fail "cert init $s"; done
pin() { "$kith" cert show "$1" --json | grep -o 'sha256:[0-9a-f]*'; }
study() { # PKG LINES
  echo "study: joint"
  echo "columns:"
  echo "  - {name: sex, role: quasi-identifying}"
  echo "  - {name: zip, role: quasi-identifying}"
  echo "  - {name: ill, role: sensitive}"
  echo "privacy: [{model: k-anonymity, k: 2}]"
  echo "protocol: id-based"
  echo "lists: 6"
  printf '%b' "$1"
  echo "parties:"
  for i in 0 1; do
    echo "  - {name: ${sites[$i]}, address: \"127.0.0.1:${ports[$i]}\", key: \"$(pin "${sites[$i]}".key)\"}"
  done
}
# m,8102 and f,8103 occur twice only over both sites; f,8109 and m,8110 once.
printf 'sex,zip,ill\nf,8101,flu\nf,8101,gout\nm,8102,flu\nf,8103,cold\nf,8109,flu\nf,8101,cold\n' >north.csv
printf 'sex,zip,ill\nm,8102,cold\nf,8103,flu\nm,8110,gout\n' >south.csv

# run STUDY DIRECTORY NORTH'S-KEY SOUTH'S-KEY: both parties; exit statuses in codes.
codes=""
run() {
  local pids=() s
  "$kith" party "$1" --as north --key north.key --id-key "$3" -i north.csv -o "$2.north" --wait 10min --no-progress >north.out 2>north.err & pids+=($!)
  "$kith" party "$1" --as south --key south.key --id-key "$4" -i south.csv -o "$2.south" --wait 10min --no-progress >south.out 2>south.err & pids+=($!)
  codes=""
  for s in "${pids[@]}"; do wait "$s"; codes="$codes$?"; done
}
good() { # WHAT STUDY DIRECTORY KEYS
  run "$2" "$3" "$4" "$5"
  same "$1: exit statuses" 00 "$codes"
  [ "$codes" = 00 ] || cat north.err south.err
  cmp "$3.north/release.csv" "$3.south/release.csv" || fail "$1: the releases differ"
  "$kith" verify "$2" "$3.north/release.csv" >verdict 2>&1 || fail "$1: $(cat verdict)"
  same "$1: rows" 10 "$(wc -l <"$3.north/release.csv")"
  # A value that one person has is nowhere, one that both sites have only together is released.
  grep -q '8109\|8110' "$3.north/release.csv" && fail "$1: a unique value was released"
}
# alone STUDY NAME KEY MESSAGE: refused at once, although nobody else is there.
alone() {
  "$kith" party "$1" --as "$2" --key "$2.key" ${3:+--id-key "$3"} -i "$2.csv" -o refused --wait 10min --no-progress >out 2>err
  same "$4: exit status" 2 $?
  grep -qF "$4" err || fail "expected '$4', saw '$(cat err)'"
  [ ! -e refused ] || fail "$4: a directory was left"
}

# One generator, keys of a period.
"$kith" pkg init -o generator --name ministry -q || fail "init"
for s in "${sites[@]}"; do "$kith" pkg issue generator "$s" --period 2026-11 -o "$s.id.key" -q || fail "issue $s"; done
study 'pkg: generator/parameters.pkg\nperiod: "2026-11"\n' >s.yaml
good "one generator" s.yaml one north.id.key south.id.key
grep -q 'the key generator together with the party with fewer rows' one.north/ledger.json || fail "the ledger does not name the generator"

# The dry run says what the generator can read, and checks the key, too.
"$kith" party s.yaml --as north --key north.key --id-key north.id.key --dry-run --wait 10min --no-progress >north.out 2>north.err & first=$!
"$kith" party s.yaml --as south --key south.key --id-key south.id.key --dry-run --wait 10min --no-progress >south.out 2>south.err & second=$!
wait $first; codes=$?; wait $second; same "dry run: exit statuses" 00 "$codes$?"
grep -q 'to the key generator together with the party with fewer rows: every quasi-identifier' south.out || fail "dry run: $(cat south.out)"
"$kith" party s.yaml --as north --key north.key --id-key south.id.key --dry-run 2>err; same "dry run, wrong key: exit status" 2 $?

# A generator whose files do not belong together issues nothing.
"$kith" pkg init -o broken -q
sed -i "2s/.*/$(sed -n 2p generator/master.key)/" broken/master.key
cp generator/parameters.pkg broken/parameters.pkg
"$kith" pkg issue broken north -o broken.key 2>err; same "a broken generator: exit status" 2 $?
grep -q 'does not fit' err || fail "a broken generator: $(cat err)"
[ ! -e broken.key ] || fail "a broken generator has issued a key"
same "modes" "600 600" "$(stat -c %a generator/master.key north.id.key | xargs)"

# Wrong keys: each has its own message, before anyone connects.
alone s.yaml north '' 'the study has a key generator (pkg), but the private key of north is not given'
grep -qF "kith pkg issue DIR north --period 2026-11" err || fail "no hint: $(cat err)"
alone s.yaml north south.id.key "south.id.key is the private key of 'south', but this party is 'north'"
alone s.yaml north generator/master.key 'generator/master.key:1: this is the secret of a key generator, expected a private key'
alone s.yaml north generator/parameters.pkg 'this is a file of public parameters, expected a private key'
"$kith" pkg issue generator north --period 2026-12 -o renewed.key -q
alone s.yaml north renewed.key 'renewed.key is a key of period 2026-12, but the study has period 2026-11'
"$kith" pkg issue generator north -o timeless.key -q
alone s.yaml north timeless.key 'timeless.key is a key of no period, but the study has period 2026-11'
sed 's/2026-12/2026-11/' renewed.key >forged.key; chmod 600 forged.key
alone s.yaml north forged.key 'forged.key does not fit the name, the period and the parameters that it states'
"$kith" pkg init -o other -q
"$kith" pkg issue other north --period 2026-11 -o stranger.key -q
alone s.yaml north stranger.key 'stranger.key is a key of the generator blake2b:'
cp north.id.key open.key; chmod 644 open.key
alone s.yaml north open.key 'open.key holds a secret, but others can read it (mode 0644)'
study 'pkg: self\n' >self.yaml
alone self.yaml north north.id.key 'the study has no key generator (pkg), so that a private key is of no use'

# The next period: old keys are refused, new ones work.
study 'pkg: generator/parameters.pkg\nperiod: "2026-12"\n' >next.yaml
alone next.yaml north north.id.key 'north.id.key is a key of period 2026-11, but the study has period 2026-12'
"$kith" pkg issue generator south --period 2026-12 -o renewed.south.key -q
good "the next period" next.yaml next renewed.key renewed.south.key
cmp one.north/release.csv next.north/release.csv || fail "another period has changed the release"

# Two generators, neither of which can decrypt alone.
"$kith" pkg join generator/parameters.pkg other/parameters.pkg -o joint.pkg -q || fail "join"
for s in "${sites[@]}"; do
  "$kith" pkg issue generator "$s" other/parameters.pkg --period 2026-11 -o "$s.part1" -q || fail "issue"
  "$kith" pkg issue other "$s" generator/parameters.pkg --period 2026-11 -o "$s.part2" -q || fail "issue"
  "$kith" pkg join "$s.part1" "$s.part2" --parameters joint.pkg -o "$s.joint.key" -q || fail "join $s"
done
study 'pkg: joint.pkg\nperiod: "2026-11"\n' >joint.yaml
good "joined generators" joint.yaml joint north.joint.key south.joint.key
cmp one.north/release.csv joint.north/release.csv || fail "another generator has changed the release"
alone joint.yaml north north.part1 'north.part1 is a partial key: those of all generators make one key'
alone joint.yaml north north.id.key 'north.id.key is a key of the generator blake2b:'

# A study whose file is none of parameters is wrong; the finding names both files.
study 'pkg: north.id.key\n' >wrong.yaml
"$kith" study check wrong.yaml 2>err; same "study check: exit status" 1 $?
grep -q '^kith: error: wrong.yaml:9:6: pkg: north.id.key:1: this is a private key, expected a file of public parameters' err || fail "study check: $(cat err)"

# Parties whose studies have different parameters do not start.
"$kith" pkg issue other south --period 2026-11 -o south.other.key -q
study 'pkg: other/parameters.pkg\nperiod: "2026-11"\n' >other.yaml
"$kith" party s.yaml --as north --key north.key --id-key north.id.key -i north.csv -o x.north --wait 10min --no-progress >north.out 2>north.err & first=$!
"$kith" party other.yaml --as south --key south.key --id-key south.other.key -i south.csv -o x.south --wait 10min --no-progress >south.out 2>south.err & second=$!
wait $first; codes=$?; wait $second; same "other parameters: exit statuses" 33 "$codes$?"
grep -q 'pkg differs' north.err || fail "other parameters: $(cat north.err)"

# A simulation has a generator of its own, in one process and over TLS; the real one is not needed.
for how in "" --in-process; do
  tail -n +1 north.csv >all.csv; tail -n +2 south.csv >>all.csv
  rm -rf simulated
  "$kith" simulate joint.yaml -i all.csv --sites 2 -o simulated --no-progress $how >out 2>err || fail "simulate $how: $(cat err)"
  grep -q '^holds [0-9]*-anonymity' out || fail "simulate $how: $(cat out)"
done
[ $failed = 0 ] && echo "pkg: all good"
exit $failed
