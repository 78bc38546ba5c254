# Bash completion as bash does it: the generated script is sourced and its function called.
set -eu
kith=$1 source=$2
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT
"$source/tools/make-completion" "$kith" >"$scratch/kith.bash"
cd "$scratch"
touch data.csv 'two words.csv'; mkdir folder
bash -n kith.bash
. ./kith.bash
complete -p kith | grep -q -- "-F _kith" || { echo "completion: not registered"; exit 1; }

failures=0
# completes WORDS… EXPECTED: what the last word may become, sorted, separated by |
completes() {
  local expected=${*: -1} given
  COMP_WORDS=("${@:1:$#-1}"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
  _kith || true
  given=$(printf '%s\n' "${COMPREPLY[@]-}" | sort | paste -sd'|')
  [ "$given" = "$expected" ] && return
  echo "completion: '${COMP_WORDS[*]}': got '$given', expected '$expected'"
  failures=$((failures + 1))
}
completes kith gen 'generate'
completes kith --v '--version'
completes kith zzz ''
completes kith help gen 'generate'
completes kith generate '' 'adult|hospital|survey'
completes kith generate h 'hospital'
completes kith generate hospital --s '--seed'
completes kith generate hospital --no '--no-progress'
completes kith generate hospital -n '' ''
completes kith generate hospital --seed '' ''
completes kith generate hospital -o d 'data.csv'
completes kith generate hospital --output tw 'two words.csv'
completes kith generate hospital fo 'folder'
completes kith hierarchy ch 'check'
completes kith hierarchy check --col '--column'
completes kith hierarchy check da 'data.csv'

# every option that any page lists is offered
checked=0
while IFS=$'\t' read -r words _; do
  for option in $("$kith" $words --help </dev/null | sed -n 's/^  \(-., \|    \)\(--[a-z-]*\).*/\2/p'); do
    COMP_WORDS=(kith $words "$option"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
    _kith || true
    case " ${COMPREPLY[*]-} " in *" $option "*) ;; *)
      echo "completion: '$words' does not offer $option"; failures=$((failures + 1)) ;;
    esac
    checked=$((checked + 1))
  done
done < <("$source/tools/help-tree" "$kith")
[ $checked -gt 10 ] || { echo "completion: only $checked options seen"; exit 1; }
[ $failures = 0 ] || exit 1

# zsh and fish: every command, verb and option has a place; the shells read the files, where they are
# installed, and fish completes.
"$source/tools/make-completion-zsh" "$kith" >_kith
"$source/tools/make-completion-fish" "$kith" >kith.fish
while IFS=$'\t' read -r words _; do
  grep -q -- " -a ${words##* } " kith.fish || { echo "completion: fish does not offer $words"; exit 1; }
  grep -q -- "'${words##* }:" _kith || { echo "completion: zsh does not offer $words"; exit 1; }
  while IFS=$'\t' read -r _ option _; do
    grep -q -- " -l $option " kith.fish || { echo "completion: fish does not offer --$option"; exit 1; }
    grep -q -- "--$option\(\[\|}\)" _kith || { echo "completion: zsh does not offer --$option"; exit 1; }
  done < <("$source/tools/help-options" "$kith" $words)
done < <("$source/tools/help-tree" "$kith")
if command -v zsh >/dev/null; then zsh -n _kith; fi
if command -v fish >/dev/null; then
  [ "$(HOME=$scratch fish -c 'source kith.fish; complete -C "kith cert sh"' | cut -f1)" = show ] || { echo "completion: fish"; exit 1; }
fi
echo "$checked options"
