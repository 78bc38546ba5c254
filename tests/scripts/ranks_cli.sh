# kith under an MPI launcher: any number of ranks says what one process says; whatever goes wrong on one of them ends
# all, with one message and one exit status.
set -eu
kith=$1; source=$2; build=$3
# shellcheck source=tests/helpers/ranks.bash
. "$source/tests/helpers/ranks.bash"
struck=$build/tests/kith_struck
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
say() { echo "FAILED: $*"; exit 1; }

"$kith" generate hospital -n 3000 -o p.csv --seed 1 --quiet
"$kith" describe p.csv p.study.yaml --json >alone.json
for n in 1 2 3 4 7; do
  ranks "$n" "$kith" describe p.csv p.study.yaml --json >many.json || say "$n ranks"
  cmp alone.json many.json || say "$n ranks say something else"
done

# fails STATUS MESSAGE N PROGRAM…: all ranks end with this status, and one of them has said this.
fails() {
  local expected=$1 message=$2 status=0
  shift 2
  ranks "$@" >out 2>err || status=$?
  [ "$status" = "$expected" ] || { cat err; say "status $status instead of $expected: $message"; }
  ! printed out || say "printed: $(cat out)"
  grep '^kith: error' err >said || true
  [ "$(cat said)" = "kith: error: $message" ] || { cat err; say "not said once: $message"; }
}
fails 5 "cannot read nowhere.csv: No such file or directory" 3 "$kith" describe nowhere.csv
fails 2 "unknown option '--nothing'; see 'kith describe --help'" 3 "$kith" describe p.csv --nothing
# A row that only one rank reads.
{ cat p.csv; echo "a,row,that,is,too,short"; } >short.csv
"$kith" describe short.csv 2>alone.err && say "a short row was taken" || true
fails 2 "$(sed -n 's/^kith: error: //p' alone.err)" 4 "$kith" describe short.csv
# One rank is called in another way.
cat >uneven <<'END'
#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-$PMIX_RANK}}
[ "$rank" = 2 ] || exec "$0.kith" describe p.csv
exec "$0.kith" describe p.csv missing.yaml
END
chmod +x uneven; ln -s "$kith" uneven.kith
export KITH_MPI=$(ranks_plugin "$build")
"$kith" describe p.csv missing.yaml 2>alone.err && say "a study that is not there" || status=$?
fails "$status" "$(sed -n 's/^kith: error: //p' alone.err)" 3 "$scratch/uneven"

# No plugin; a command that works alone.
KITH_MPI=/nowhere/libkith-mpi.so fails 2 "started by an MPI launcher, but libkith-mpi.so cannot be loaded: \
/nowhere/libkith-mpi.so: cannot open shared object file: No such file or directory" 3 "$kith" describe p.csv
# The plugin of another MPI than that of the launcher would take every process for the only one: here Open MPI's, without
# its launcher.
status=0
KITH_MPI=$build/libkith-mpi.so PMI_RANK=0 PMI_SIZE=3 "$kith" describe p.csv >out 2>err || status=$?
[ "$status" = 2 ] && [ ! -s out ] || { cat out err; say "the plugin of another MPI: status $status"; }
grep -q '^kith: error: a launcher with PMI (MPICH or a relative) has started 3 ranks, but libkith-mpi.so (.* [v0-9.]*) knows of one only' err &&
  grep -q "^kith: hint: .*'make mpi MPI=mpich'" err || { cat err; say "the plugin of another MPI is not named"; }
status=0
KITH_MPI=$build/libkith-mpi.so PMI_RANK=0 PMI_SIZE=1 "$kith" describe p.csv >out 2>err || status=$?
[ "$status" = 0 ] && [ -s out ] || { cat err; say "one rank alone: status $status"; }
fails 2 "kith generate cannot share its work between 3 ranks of an MPI launcher" 3 "$kith" generate hospital -o g.csv
[ ! -e g.csv ] || say "generated under a launcher"

# Signals. A rank that is killed takes the others with it; one that is asked to stop ends all, and says so.
cat >victim <<'END'
#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK-${PMI_RANK-$PMIX_RANK}}
eval "plan=\${STRIKE_$rank-}"
[ -z "$plan" ] || export KITH_STRUCK="$plan"
exec "$0.kith" describe p.csv
END
chmod +x victim; ln -s "$struck" victim.kith
status=0; STRIKE_1="KILL describe 3" ranks 3 "$scratch/victim" >out 2>err || status=$?
[ "$status" = $ranks_killed ] || { cat err; say "killed: status $status"; }
! printed out || say "printed although a rank was killed"
status=0; STRIKE_1="TERM describe 3" ranks 3 "$scratch/victim" >out 2>err || status=$?
[ "$status" = 130 ] || { cat err; say "stopped: status $status"; }
! printed out || say "printed although a rank was stopped"
[ "$(grep -c '^kith: interrupted$' err)" = 1 ] || { cat err; say "not told once"; }
# One rank does not come any more; another one that waits for it is asked to stop.
status=0; STRIKE_2="STOP describe 3" STRIKE_0="TERM wait_for_ranks 2" ranks 3 "$scratch/victim" >out 2>err || status=$?
[ "$status" = 130 ] || { cat err; say "stopped while it waited: status $status"; }
! printed out || say "printed although a rank was stopped while it waited"
[ "$(grep -c '^kith: interrupted$' err)" = 1 ] || { cat err; say "not told once that a wait was stopped"; }
