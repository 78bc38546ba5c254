# For tests/scripts/failing_calls.sh: every command with small inputs, in groups. `tries` and `drive` are those of
# the script; `kith` and `tools` as well.

# tries_slow NAME OPTION… -- ARGUMENT…: as tries, for commands that compute for long. A sample has fewer kinds of
# faults.
tries_slow() {
  if [ -z "${KITH_FAULTS:-}" ]; then
    local files=(open:EMFILE:once write:ENOSPC:on rename:EIO:once process:EAGAIN:once send:ECONNRESET:once)
    local memory=(memory:ENOMEM:once)
  fi
  tries "$@"
}

small_study() { # LINE…: more of it
  cat <<STUDY
study: small
columns:
  - {name: age, role: quasi-identifying, type: integer, hierarchy: {intervals: [5, 20]}, domain: {range: [0, 119]}}
  - {name: disease, role: sensitive}
privacy: [{model: k-anonymity, k: 2}]
STUDY
  printf '%s\n' "$@"
}

# Fewer rows than a piece has in memory, but more bytes than the memory that the study allows.
large_data() {
  echo age,disease,padding
  small_data 1 | tail -n +2 | sed "s/\$/,$(printf '%070000d' 0)/"
}

small_data() { # SEED
  echo age,disease
  local i
  for i in 1 2 3 4 5 6 7 8; do echo "$((($1 + i * 7) % 50)),d$((i % 3))"; done
}

commands_tables() {
  "$kith" generate hospital -n 40 --seed 1 -o p.csv --quiet
  "$kith" anonymize p.study.yaml -i p.csv -o r.csv --seed 1 --summary r.json --quiet
  tries "generate" -- generate hospital -n 5 --seed 1 -o new.csv
  tries "describe" -- describe p.csv p.study.yaml
  tries "hierarchy build" -- hierarchy build intervals:5,10 -i p.csv --column age -o a.csv
  tries "hierarchy show" -- hierarchy show hierarchies/hospital-job.csv
  tries "hierarchy check" -- hierarchy check hierarchies/hospital-job.csv p.csv --column job
  tries "study init" -- study init p.csv -o x.yaml
  tries "study check" -- study check p.study.yaml p.csv
  tries "study digest" -- study digest p.study.yaml
  tries "try" --varies "t.json t.csv" -- try p.study.yaml -i p.csv --set k=2,3 --csv t.csv --summary t.json \
    --save 1=t.yaml --threads 2 --seed 1
  tries "anonymize" --varies "s.json" -- anonymize p.study.yaml -i p.csv -o r2.csv --summary s.json --seed 1 --threads 2
  tries "anonymize --force" -- anonymize p.study.yaml -i p.csv -o r.csv --seed 1 --force --quiet
  tries "anonymize -o -" -- anonymize p.study.yaml -i p.csv -o - --seed 1
  small_study "piece: 4" "memory: 1MB" >large.yaml
  large_data >large.csv
  tries "anonymize, from the disk" --varies "s.json" -- anonymize large.yaml -i large.csv -o l.csv --summary s.json --seed 1
  tries "verify" --varies "s.json" -- verify p.study.yaml r.csv --data p.csv --summary s.json
  tries "measure" --varies "s.json" -- measure p.study.yaml p.csv r.csv --summary s.json
  tries "report" -- report r.json --release r.csv -o r.html
  tries "help" -- anonymize --help
  if "$kith" anonymize p.study.yaml -i p.csv -o 'sqlite:d.db?table=t' --seed 1 --quiet; then
    tries "anonymize, SQLite" --varies "new.db" -- anonymize p.study.yaml -i p.csv -o 'sqlite:new.db?table=t' --seed 1
    tries "verify, SQLite" -- verify p.study.yaml 'sqlite:d.db?table=t'
  fi
}

commands_keys() {
  local p
  small_study "partition: horizontal" >base.yaml
  for p in north south; do "$kith" cert init $p -o $p.key --address $p.example:7001 --party $p.party --quiet; done
  tries "cert init" --varies "n.key n.key.choices n.party" -- cert init east -o n.key --address localhost:7001 --party n.party
  tries "cert show" -- cert show north.key
  tries "study join" -- study join base.yaml north.party south.party -o joint.yaml
  "$kith" pkg --help >/dev/null 2>&1 || return 0
  for p in one two; do
    "$kith" pkg init -o $p --name $p --quiet
    "$kith" pkg issue $p north --period 2026-11 -o $p.key --quiet
  done
  tries_slow "pkg init" --varies "master.key parameters.pkg" -- pkg init -o new --name ministry
  tries_slow "pkg issue" --varies "id.key" -- pkg issue one north --period 2026-11 -o id.key
  tries_slow "pkg join" -- pkg join one/parameters.pkg two/parameters.pkg -o both.pkg
  tries "pkg show" -- pkg show one.key
}

commands_joint() {
  local varies="summary.json ledger.json ledger.txt release.csv release.csv.meta.json"
  small_study >s.yaml
  { small_data 1; small_data 4 | tail -n +2; } >all.csv
  "$kith" simulate s.yaml -i all.csv --sites 2 -o kept --in-process --seed 1 --quiet
  tries "ledger show" -- ledger show kept/site1
  tries "report of a joint run" -- report kept -o r.html
  local files=("${files[@]}" "${network[@]}")
  tries_slow "simulate, threads" --varies "$varies" -- simulate s.yaml -i all.csv --sites 2 -o run --in-process --seed 1 \
    --no-progress
  tries_slow "simulate, processes" --statuses 35 --varies "$varies" -- simulate s.yaml -i all.csv --sites 2 -o run --seed 1 --no-progress
  tries_slow "estimate" --varies "$varies" -- estimate s.yaml -i all.csv --sites 2 --seed 1 --no-progress --summary summary.json
  tries_slow "compare" --varies "$varies" -- compare s.yaml -i all.csv --sites 2 --seed 1 --in-process --no-progress \
    --summary summary.json
}

# A port that nobody listens at, below those that the system gives away, in `port`.
port=$((12000 + $$ % 10000 + RANDOM % 10000))
free_port() {
  port=$((port + 1))
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
}
pin() { "$kith" cert show "$1.key" | sed -n 's/^key: "\(.*\)"/\1/p'; }
client_pin() { "$kith" cert init client -o client.key --quiet && pin client; }

# The study s.yaml for north and south, with their keys; their ports are in `north_port` and `south_port`.
two_parties() { # LINE…: more of the study
  local p
  for p in north south; do [ -e $p.key ] || "$kith" cert init $p -o $p.key --quiet; done
  free_port; north_port=$port
  free_port; south_port=$port
  small_study "partition: horizontal" "timeout: 600" "$@" "parties:" \
    "  - {name: north, address: \"127.0.0.1:$north_port\", key: \"$(pin north)\"}" \
    "  - {name: south, address: \"127.0.0.1:$south_port\", key: \"$(pin south)\"}" >s.yaml
  small_data 1 >north.csv
  small_data 4 >south.csv
}

# both NAME ARGUMENT…: as north, whose calls fail, and as south; @ is the party's name. Where a connection breaks,
# or where the other one goes first, status 3 is right.
both() {
  local name=$1 options=(--peer north --varies "summary.json .choices" --accounts "ledger.json ledger.txt .runs")
  shift
  local south=(--companion "$south_port" "$kith" "${@//@/south}")
  drive "$name" "${files[@]}" "${network[@]}" --statuses 35 "${options[@]}" -- --victim "$kith" "${@//@/north}" "${south[@]}"
  drive "$name, memory" "${memory[@]}" "${options[@]}" -- --victim "$tools/kith_blocks_apart" "${@//@/north}" "${south[@]}"
}

commands_parties() {
  two_parties
  both "smc" smc sum s.yaml --as @ --key @.key 17 4 --wait 10min --no-progress
  both "party --dry-run" party s.yaml --as @ --key @.key --dry-run --wait 10min --no-progress
  both "party" party s.yaml --as @ --key @.key -i @.csv -o out.@ --wait 10min --no-progress --seed 1
}

# A client asks two sites: its calls fail, and then those of a site.
commands_serving() {
  local p
  two_parties "publish: virtual" "protocol: mondrian" "clients: [{name: client, key: \"$(client_pin)\"}]"
  for p in north south; do
    "$kith" party s.yaml --as $p --key $p.key -i $p.csv -o made.$p --rows "sqlite:$p.db?table=t" --quiet --no-progress &
  done
  wait
  rm -rf made.* ./*.runs
  local query=(query s.yaml --as client --key client.key --no-progress --format csv -o answer.csv 'SELECT count(*)')
  local north=(serve s.yaml --as north --key north.key --rows 'sqlite:north.db?table=t' --no-progress)
  local south=(--server "$south_port" "$kith" serve s.yaml --as south --key south.key --rows 'sqlite:south.db?table=t' --no-progress)
  local options=(--accounts ".queries.jsonl")
  drive "query" "${files[@]}" "${network[@]}" --statuses 35 "${options[@]}" -- \
    --victim "$kith" "${query[@]}" --server "$north_port" "$kith" "${north[@]}" "${south[@]}"
  drive "query, memory" "${memory[@]}" "${options[@]}" -- \
    --victim "$tools/kith_blocks_apart" "${query[@]}" --server "$north_port" "$kith" "${north[@]}" "${south[@]}"
  drive "serve" "${files[@]}" "${network[@]}" "${options[@]}" -- \
    --victim-server "$north_port" "$kith" "${north[@]}" --companion 0 "$kith" "${query[@]}" "${south[@]}"
  drive "serve, memory" "${memory[@]}" "${options[@]}" -- \
    --victim-server "$north_port" "$tools/kith_blocks_apart" "${north[@]}" --companion 0 "$kith" "${query[@]}" "${south[@]}"
  # The console is stopped as soon as it listens: nobody asks it anything.
  free_port
  drive "console" "${files[@]}" "${network[@]}" -- --victim-server "$port" "$kith" console --no-browser --port "$port"
  drive "console, memory" "${memory[@]}" -- --victim-server "$port" "$tools/kith_blocks_apart" console --no-browser --port "$port"
}
