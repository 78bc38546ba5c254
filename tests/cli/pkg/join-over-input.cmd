generators one two
kith pkg join one/parameters.pkg two/parameters.pkg -o one/parameters.pkg --force
