generators one two
kith pkg join */parameters.pkg -o joint.pkg -q
generators third
kith pkg join joint.pkg third/parameters.pkg -o all.pkg
