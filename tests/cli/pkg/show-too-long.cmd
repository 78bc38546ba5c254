generators one
echo >> one/parameters.pkg
kith pkg show one/parameters.pkg
