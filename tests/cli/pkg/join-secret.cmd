generators one two
kith pkg join */parameters.pkg -o joint.pkg -q
kith pkg join one/master.key two/master.key -o x
