for g in one two; do kith pkg init -o $g -q; done
kith pkg join */parameters.pkg -o joint.pkg -q
kith pkg init -o third -q
kith pkg join joint.pkg third/parameters.pkg -o all.pkg
