for g in one two; do kith pkg init -o $g -q; done
kith pkg join */parameters.pkg -o joint.pkg -q
kith pkg join one/master.key two/master.key -o x
