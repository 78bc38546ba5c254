kith pkg init -o one -q
echo >> one/parameters.pkg
kith pkg show one/parameters.pkg
