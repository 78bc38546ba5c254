# For shell tests of runs in which one of the parties is struck by a signal. It strikes itself, at a
# message that is counted and not at a time, so that the machine may be as busy as it likes.
#
# The script sets `kith` and `struck` (build/…/tests/kith_struck), `parties` (their names in the order of the
# study), and `own`, an associative array of arguments that only one party has.
declare -A own=()
sent=() # by each party in a whole run, in their order

fail() { echo "FAILED: $*"; touch "$work/failed"; }
[ -x "$struck" ] || { echo "FAILED: build kith_struck first"; exit 1; }

# Keys of all parties.
make_keys() { local s; for s in "${parties[@]}"; do "$kith" cert init "$s" -o "$s.key" --quiet || fail "cert init $s"; done; }
pin() { "$kith" cert show "$1.key" | sed -n 's/^key: "\(.*\)"/\1/p'; }

# A port that nobody listens at, below those that the system gives away, in `port`.
port=$((12000 + $$ % 10000 + RANDOM % 10000))
free_port() {
  port=$((port + 1))
  while (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done
}

# place NAME: a directory for one run, with copies of all files here but a study of its own, as `study` prints it.
# What parties remember of other runs stays behind; the secret of their choices comes along, so that every run
# goes as the others do.
place() {
  mkdir "$1"
  find . -maxdepth 1 -type f ! -name '*.runs' -exec cp -t "$1" {} +
  [ "$1" = whole ] || [ ! -d whole ] || find whole -name '*.choices' -exec cp -t "$1" {} +
  study >"$1/s.yaml"
}

# start PLACE VICTIM PLAN ARGUMENT…: all parties, with these arguments and their own; @ is the party's name. The
# victim is struck as PLAN says (helpers/struck.c). Process numbers are in `pids`.
start() {
  local place=$1 victim=$2 plan=$3 s
  shift 3
  pids=()
  set -m # otherwise the shell makes processes in the background ignore SIGINT
  for s in "${parties[@]}"; do
    (
      cd "$place" || exit 1
      program=$kith
      [ "$s" != "$victim" ] || { program=$struck; export KITH_STRUCK=$plan KITH_STRUCK_STEPS=$s.steps; }
      [ "$plan" != count ] || { program=$struck; export KITH_STRUCK_STEPS=$s.steps; }
      exec "$program" "${@//@/$s}" ${own[$s]:-} --as "$s" --key "$s.key" --wait 10min --no-progress -o "$s.d" >"$s.out" 2>"$s.err"
    ) &
    pids+=($!)
  done
}

# whole ARGUMENT…: a run in which nothing happens, in the directory whole; how many messages each party sends is
# in `sent`.
whole() {
  local i
  place whole
  start whole "" count "$@"
  for i in "${!parties[@]}"; do wait "${pids[$i]}" || fail "the whole run: $(cat "whole/${parties[$i]}.err")"; done
  [ ! -e "$work/failed" ] || exit 1
  for i in "${!parties[@]}"; do sent[i]=$(wc -l <"whole/${parties[$i]}.steps"); done
}

# Nothing of a failed run is left but ledgers that say so.
nothing_left() { # PLACE PARTY
  local file
  [ -s "$1/$2.out" ] && fail "$1: $2 printed something"
  for file in "$1/$2.d"/* "$1/$2.d"/.[!.]*; do
    case $file in
      */ledger.json) grep -q '"outcome":[[:space:]]*"failed"' "$file" || fail "$1: ledger of $2" ;;
      */ledger.txt | *'*'*) ;;
      *) fail "$1: $2 left $file" ;;
    esac
  done
}

# strike PLACE VICTIM PLAN CODE PATTERN ARGUMENT…: runs all, of whom one is struck and ends with CODE (of the
# shell). Every other one ends with 3 and an error that matches PATTERN, and leaves nothing.
strike() {
  local place=$1 victim=$2 plan=$3 expected=$4 pattern=$5 i s code pids
  shift 5
  start "$place" "$victim" "$plan" "$@"
  for i in "${!parties[@]}"; do
    s=${parties[$i]}
    [ "$s" != "$victim" ] || continue
    wait "${pids[$i]}" 2>/dev/null; code=$?
    [ $code = 3 ] || fail "$place ($victim, $plan): exit status $code at $s: $(cat "$place/$s.err")"
    grep -qE "^kith: error: ($pattern) \(step [^)]*\)" "$place/$s.err" || fail "$place ($victim, $plan): $s says $(cat "$place/$s.err")"
    nothing_left "$place" "$s"
  done
  for i in "${!parties[@]}"; do
    [ "${parties[$i]}" = "$victim" ] || continue
    [[ $plan != STOP* ]] || kill -KILL "${pids[$i]}"
    wait "${pids[$i]}" 2>/dev/null; code=$?
    [ $code = "$expected" ] || fail "$place ($victim, $plan): the victim ended with $code: $(cat "$place/$victim.err")"
    # One that is killed has no time to tidy up, but what it leaves has no name that anybody would use.
    [ ! -e "$place/$victim.d/release.csv" ] || fail "$place ($victim, $plan): the victim has a release"
  done
}

# kill_at PLACE VICTIM MESSAGE ARGUMENT…: the victim is killed when it is about to send that message. The others
# name it, and not one that left because of it; no deadline has to pass.
kill_at() {
  local place=$1 victim=$2 message=$3
  shift 3
  strike "$place" "$victim" "KILL message $message" 137 \
    "lost the connection to $victim: [a-z ]+|[a-z]+ ended the (run: $victim failed|session: it lost the connection to $victim)" "$@"
}

# aside COMMAND…: in the background, a few at a time; what the shell says about killed processes is not shown.
aside() {
  while [ "$(jobs -rp | wc -l)" -ge 4 ]; do wait -n; done
  "$@" 2>/dev/null &
}

# spread COUNT ALL: COUNT numbers from 1 to ALL in long checks (KITH_EXHAUSTIVE=full), otherwise half as many but two at
# least; evenly, the first and the last one among them.
spread() {
  local count=$1
  [ "${KITH_EXHAUSTIVE:-}" = full ] || count=$((count < 4 ? 2 : count / 2))
  awk -v n="$count" -v all="$2" 'BEGIN { for (i = 0; i < n; i++) print 1 + int(i * (all - 1) / (n - 1)) }'
}

# moments COUNT VICTIM: which messages of a party, by its number, to kill it at: those of spread, and the
# first one of every step in which it sends something. So every step is met, wherever even distances fall.
moments() { { spread "$1" "${sent[$2]}"; awk '!met[$0]++ { print NR }' "whole/${parties[$2]}.steps"; } | sort -nu; }

# In which steps victims were killed, by their own account, in `steps`: all of those in which the whole run sends
# something. Where the others notice it says less: one that is slow may still be in an earlier step.
check_steps() {
  local all
  all=$(sort -u whole/*.steps)
  steps=$(for file in kill.*/*.steps; do tail -n 1 "$file"; done | sort -u)
  [ "$steps" = "$all" ] || fail "killed in $(paste -sd, <<<"$steps") instead of $(paste -sd, <<<"$all")"
}
