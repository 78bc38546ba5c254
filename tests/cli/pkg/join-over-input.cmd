for g in one two; do kith pkg init -o $g -q; done
kith pkg join one/parameters.pkg two/parameters.pkg -o one/parameters.pkg --force
