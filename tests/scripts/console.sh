#!/usr/bin/env bash
# The console as a server: who may ask, which files it touches, what it refuses, and that its memory stays flat.
set -eu
kith=$1 source=$2
"$kith" console /nowhere 2>&1 | grep -q 'built without' && { echo "console: not built"; exit 0; }
python3 "$source/tests/helpers/console_misuse.py" "$kith"
python3 "$source/tests/helpers/console_secrets.py" "$kith"
exec python3 "$source/tests/helpers/console_attacks.py" "$kith"
