# The promise of docs/versioning.md about structs that callers fill:
#   - their members stay where 0.1 has them, new ones come behind its end (tests/abi/0.1.layout);
#   - the example makes the same release with a later library, whose structs have grown;
#   - compiled against a later header it does so, too, unless it asks for what this library does not
#     know: then it is refused;
#   - the headers compile as C99, C11, C17 and C++ without a warning;
#   - the functions of the library and the structs of callers are those of tests/abi/interface: whoever changes
#     them notices.
# All of it is about the headers kith.h and joint.h; what stands behind KITH_UNSTABLE_API may change at any time.
# `abi.sh --layout SOURCE` prints the layout of today, for a new file in tests/abi, `abi.sh --layout-all SOURCE` that of
# all structs; `abi.sh --interface SOURCE BUILD` prints the interface of today.
set -eu
export LC_ALL=C
scratch=$(mktemp -d); trap 'rm -rf "$scratch"' EXIT

# Headers that may change with any version include kith/unstable.h.
stable_headers() { grep -L '<kith/unstable.h>' "$1"/kith/*.h | grep -vE '/(unstable|tools)\.h$'; }

# struct and member of all structs in these headers that begin with their size, and of those that never change
members() {
  awk '
    { gsub(/\/\*[^*]*\*\//, "") }
    /\/\*/ { sub(/\/\*.*/, ""); comment = 1; print_line() ; next }
    comment { if (!/\*\//) next; sub(/.*\*\//, ""); comment = 0 }
    { print_line() }
    function print_line(    name) {
      if ($0 ~ /^typedef struct [a-z_]+ \{/) { name_of = $3; open = 1; return }
      if ($0 ~ /^\}/) { open = 0; return }
      if (open && $0 ~ /;/) {
        name = $0; sub(/(\[[^]]*\])?;.*/, "", name); sub(/.*[ *]/, "", name)
        print name_of, name
      }
    }' "$@" |
  awk '{ all[NR] = $0; if ($2 == "size") sized[$1] = 1 }
       END { for (i = 1; i <= NR; i++) { split(all[i], f); if (f[1] in sized || f[1] ~ /^kith_(error|column_spec|setting|column_hierarchy)$/) print all[i] } }'
}

# struct member offset bytes, and "struct = bytes", of the structs in HEADER… of a directory of headers
layout() { # DIRECTORY HEADER…
  local directory=$1; shift
  {
    printf '#define KITH_UNSTABLE_API\n#include <stdio.h>\n'
    printf '#include <%s>\n' "${@#"$directory"/}"
    printf 'int main(void)\n{\n'
    members "$@" | awk '
      { printf "printf(\"%s %s %%zu %%zu\\n\", offsetof(%s, %s), sizeof(((%s *)0)->%s));\n", $1, $2, $1, $2, $1, $2 }
      !($1 in seen) { seen[$1] = 1; printf "printf(\"%s = %%zu\\n\", sizeof(%s));\n", $1, $1 }'
    printf 'return 0; }\n'
  } >"$scratch/layout.c"
  cc -std=c17 -I "$directory" -o "$scratch/layout" "$scratch/layout.c"
  "$scratch/layout" | sort
}
stable_layout() { layout "$1" $(stable_headers "$1"); }

# The functions that the headers of a directory declare: those of HEADER… and what they include.
declared() { # DIRECTORY HEADER…
  local directory=$1; shift
  printf '#include <kith/%s>\n' "$@" | cc -E -P -DKITH_UNSTABLE_API -I "$directory" - |
    grep -oE '\bkith_[a-z0-9_]+\(' | tr -d '(' | sort -u
}

# "function NAME" for what the library exports, "struct NAME BYTES" for what callers fill: the stable ones
interface() { # SOURCE BUILD
  nm -D --defined-only "$2/libkith.so" | awk '$3 ~ /^kith_/ { print $3 }' | sort >"$scratch/exported"
  declared "$1/include" kith.h joint.h | comm -12 - "$scratch/exported" | sed 's/^/function /'
  stable_layout "$1/include" | awk '$2 == "=" { print "struct " $1, $3 }'
}

case $1 in
  --layout) stable_layout "$2/include"; exit ;;
  --layout-all) layout "$2/include" "$2"/include/kith/*.h; exit ;;
  --interface) interface "$2" "$3"; exit ;;
esac
source=$2; build=$3
say() { echo "abi: $*"; exit 1; }

# Members that 0.1 has stay; new ones lie behind its end, without holes between them; structs that
# never change do not.
check_layout() { # of NOW against THEN
  awk '
    function fail(text) { print "abi: " text; bad = 1 }
    FNR == NR { if ($2 == "=") size[$1] = $3; else at[$1, $2] = $3 " " $4; next }
    $2 == "=" { total[$1] = $3; next }
    ($1, $2) in at { if (at[$1, $2] != $3 " " $4) fail($1 "." $2 " has moved"); delete at[$1, $2]; next }
    $1 in size && $3 < size[$1] { fail($1 "." $2 " lies where 0.1 has padding or another member") }
    $1 in size { more[$1] += $4 }
    END {
      for (m in at) { split(m, f, SUBSEP); fail(f[1] "." f[2] " is gone") }
      for (s in size) if (total[s] - size[s] != more[s]) fail(s " has a hole, or is smaller than in 0.1")
      n = split("kith_error kith_column_spec kith_setting kith_column_hierarchy", fixed, " ")
      for (i = 1; i <= n; i++) if (total[fixed[i]] != size[fixed[i]]) fail(fixed[i] " has changed")
      exit bad
    }' "$2" "$1"
}
then=$source/tests/abi/0.1.layout
stable_layout "$source/include" >"$scratch/now"
check_layout "$scratch/now" "$then"
grep -q '^kith_run progress ' "$scratch/now" || say "the structs were not found"

# The interface is what the list says. What is gone breaks programs; what is new stays for good.
interface "$source" "$build" >"$scratch/interface"
compare_interface() {
  awk '
    FNR == NR { listed[$1 " " $2] = $3; next }
    !(($1 " " $2) in listed) { print "abi: " $1 " " $2 " is new"; bad = 1; next }
    listed[$1 " " $2] != $3 { print "abi: " $1 " " $2 " has " $3 " bytes, " listed[$1 " " $2] " before"; bad = 1 }
    { delete listed[$1 " " $2] }
    END { for (l in listed) { print "abi: " l " is gone: programs that use it stop working"; bad = 1 } exit bad }
  ' "$source/tests/abi/interface" "$1"
}
if ! compare_interface "$scratch/interface"; then
  echo "abi: if docs/versioning.md allows this, write the list anew and commit it with the change:"
  say "bash tests/scripts/abi.sh --interface . build/release >tests/abi/interface"
fi
declared "$source/include" kith.h joint.h tools.h | cmp - "$scratch/exported" || say "the headers declare other functions"
# The comparison notices a function that is gone, one that is new, and a struct that has grown.
for wrong in '/^function kith_table_free$/d' 's/^function kith_free$/&\nfunction kith_surprise/' \
             's/^\(struct kith_run\) .*/\1 999/'; do
  sed "$wrong" "$scratch/interface" >"$scratch/wrong"
  ! compare_interface "$scratch/wrong" >/dev/null || say "not noticed: $wrong"
done

# The headers of a later version: each struct has a member more.
mkdir -p "$scratch/later"
cp -r "$source/include/kith" "$scratch/later"
members $(stable_headers "$source/include") | awk '$2 == "size" { print $1 }' | while read -r struct; do
  sed -i -E "s/^\} $struct;/    unsigned long long added_later;\n&/" "$scratch"/later/kith/*.h
done
stable_layout "$scratch/later" >"$scratch/grown"
[ "$(grep -c ' added_later ' "$scratch/grown")" -ge 15 ] || say "the structs did not grow"
check_layout "$scratch/grown" "$then" || say "structs may not grow"
# The check notices a member that moves, goes, or slips into padding.
for wrong in 's/^kith_run seed 16 /kith_run seed 24 /' '/^kith_run seed /d' \
             's/^kith_write_options overwrite .*/&\nkith_write_options late 10 1/'; do
  sed "$wrong" "$scratch/grown" >"$scratch/wrong"
  ! check_layout "$scratch/wrong" "$then" >/dev/null || say "not noticed: $wrong"
done

# Headers.
syntax() { "$@" -Wall -Wextra -pedantic -Werror -fsyntax-only -I "$source/include"; }
for standard in c99 c11 c17; do
  printf '#include <kith/joint.h>\n#include <kith/kith.h>\n' | syntax cc -x c -std=$standard - || say "not $standard"
  echo '#include <kith/tools.h>' | syntax cc -x c -std=$standard -DKITH_UNSTABLE_API - || say "tools.h: not $standard"
done
for header in "$source"/include/kith/*.h; do
  printf '#include <kith/%s>\nextern int used;\n' "${header##*/}" | syntax cc -x c - 2>"$scratch/refused" && refused=no || refused=yes
  case $(stable_headers "$source/include") in *"$header"*) expected=no ;; *) expected=yes ;; esac
  [ $refused = $expected ] || say "$header: refused without KITH_UNSTABLE_API: $refused"
  [ $refused = no ] || grep -q 'define KITH_UNSTABLE_API to use it' "$scratch/refused" || say "$header does not compile"
done
cat >"$scratch/plus.cc" <<'END'
#define KITH_UNSTABLE_API
#include <kith/joint.h>
#include <kith/kith.h>
#include <kith/tools.h>
kith_status call(kith_error *error)
{
    kith_table *table = 0;
    kith_run run = KITH_INIT(kith_run);
    kith_table_options options = KITH_INIT(kith_table_options);
    run.n_threads = 2;
    return kith_table_read(&table, "table.csv", &options, &run, error);
}
kith_status change(kith_study *study, kith_hierarchy *hierarchy, kith_error *error)
{
    static const char *const values[] = {"a", "b"};
    static const uint32_t codes[] = {0, KITH_CODE_MISSING, 1};
    const kith_setting settings[] = {{"k", "2"}};
    const kith_column_hierarchy hierarchies[] = {{"x", hierarchy}};
    kith_change_options options = KITH_INIT(kith_change_options);
    kith_table_builder *builder = 0;
    kith_study *changed = 0;
    options.settings = settings;
    options.n_settings = 1;
    options.hierarchies = hierarchies;
    options.n_hierarchies = 1;
    kith_status status = kith_table_builder_add_codes(builder, 0, codes, 3, values, 0, 2, error);
    return status != KITH_OK ? status : kith_study_change(&changed, study, &options, 0, error);
}
END
for compiler in g++ clang++; do
  command -v $compiler >/dev/null || continue
  for standard in c++11 c++20; do
    syntax $compiler -std=$standard "$scratch/plus.cc" || say "not $standard with $compiler"
  done
done

# Programs and libraries of different ages. Sanitizer builds need their runtime in the program.
if nm -D "$build/libkith.so" | grep -qE '__(asan|tsan|ubsan|gcov)_'; then echo "instrumented build: layouts only"; exit 0; fi
compile() { # HEADERS PROGRAM SOURCE
  cc -std=c17 -Wall -Werror -I "$1" -o "$2" "$3" -L "$build" -lkith -Wl,--allow-shlib-undefined
}
LD_LIBRARY_PATH=$build; export LD_LIBRARY_PATH
compile "$source/include" "$scratch/same" "$source/examples/embed.c"
"$scratch/same" >"$scratch/expected"
test -s "$scratch/expected"

compile "$scratch/later" "$scratch/newer" "$source/examples/embed.c"
"$scratch/newer" | cmp - "$scratch/expected" || say "a later program gets something else"
sed 's/\.seed = 1)/.seed = 1, .added_later = 1)/' "$source/examples/embed.c" >"$scratch/asks.c"
! cmp -s "$scratch/asks.c" "$source/examples/embed.c" || say "the example has no such seed any more"
compile "$scratch/later" "$scratch/asks" "$scratch/asks.c"
! "$scratch/asks" >"$scratch/asks.out" 2>&1 || say "options that nobody knows were accepted"
grep -q '^invalid.*asks for options that this library does not know' "$scratch/asks.out" || { cat "$scratch/asks.out"; exit 1; }

# The second example uses most of the structs.
compile "$source/include" "$scratch/columns" "$source/examples/columns.c"
compile "$scratch/later" "$scratch/later-columns" "$source/examples/columns.c"
"$scratch/columns" >"$scratch/columns.out"
test -s "$scratch/columns.out"
"$scratch/later-columns" | cmp - "$scratch/columns.out" || say "a later program gets other columns"

# A later library: all sources once more, with headers in which every struct has grown. It takes long to compile.
[ "${KITH_EXHAUSTIVE:-}" = full ] || exit 0
mkdir "$scratch/objects"
sed -n 's/^ *"command": "\(.*\)",$/\1/p' "$build/compile_commands.json" | grep -F "CMakeFiles/kith_objects.dir/" |
  sed -e 's/\\\(.\)/\1/g' -e "s|-I$source/include|-I$scratch/later|" \
      -e "s|-o CMakeFiles/kith_objects.dir/\([^ ]*\)|-o $scratch/objects/\1|" -e 's|$| -O0 -w|' >"$scratch/commands"
grep -c -F "$scratch/later" "$scratch/commands" >/dev/null || say "no compile commands"
sed -n "s|.* -o \($scratch/objects/[^ ]*\)/[^ ]*.*|\1|p" "$scratch/commands" | sort -u | xargs mkdir -p
tr '\n' '\0' <"$scratch/commands" | xargs -0 -P "$(nproc)" -n 1 sh -c || say "a later library does not compile"
find "$scratch/objects" -name '*.o' | xargs cc -shared -Wl,--no-as-needed,-soname,libkith.so.0 -o "$scratch/libkith.so.0" \
  $(sed -n 's/^Libs.private: //p' "$build/kith.pc")
LD_LIBRARY_PATH=$scratch "$scratch/newer" | cmp - "$scratch/expected" || say "a later library differs"
LD_LIBRARY_PATH=$scratch "$scratch/columns" | cmp - "$scratch/columns.out" || say "a later library gives other columns"
LD_LIBRARY_PATH=$scratch "$scratch/same" | cmp - "$scratch/expected" || say "a later library refuses programs of today"
LD_LIBRARY_PATH=$scratch "$scratch/asks" | cmp - "$scratch/expected" || say "a later library refuses its own options"
