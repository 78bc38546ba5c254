#!/usr/bin/env bash
# The pages of the protocols number messages as the code does.
# usage: messages.sh KITH SOURCE_DIRECTORY
set -eu
source=$2
python3 -B "$source/tests/helpers/message_numbers.py" "$source" "$source"/docs/protocols/*.md
# A number that is wrong or lacking, on the page or in the code, is found.
spoilt=$(mktemp -d)
trap 'rm -rf "$spoilt"' EXIT
mkdir -p "$spoilt/src/protocol"
cp -r "$source/src/smc" "$spoilt/src"
cp -r "$source"/src/protocol/mondrian "$source"/src/protocol/*.c "$spoilt/src/protocol"
refused() {
  cp "$source/docs/protocols/mondrian.md" "$spoilt"
  cp "$source"/src/protocol/mondrian/*.c "$spoilt/src/protocol/mondrian"
  (cd "$spoilt" && sed -i "$2" "$3")
  ! cmp -s "$spoilt/mondrian.md" "$source/docs/protocols/mondrian.md" ||
    ! diff -rq "$spoilt/src/protocol/mondrian" "$source/src/protocol/mondrian" >/dev/null || { echo "nothing was spoilt by $2"; exit 1; }
  if said=$(python3 -B "$source/tests/helpers/message_numbers.py" "$spoilt" "$spoilt/mondrian.md"); then
    echo "messages: accepted: $2"; exit 1
  fi
  grep -q "$1" <<<"$said" || { echo "messages: expected \"$1\" after $2, got: $said"; exit 1; }
}
refused 'message 9 is no sum_masked' 's/^| 8 |/| 9 |/' mondrian.md
refused 'has message 3, sum_masked, and mondrian.md has not' '/^| 3 |/d' mondrian.md
refused 'sum_masked has no number' 's| /\* message 8 \*/||; /^ *\/\* message 8 \*\/$/d' src/protocol/mondrian/mondrian_protocol.c
