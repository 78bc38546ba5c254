kith pkg init -o one -q
sed -i '9s/^./*/' one/parameters.pkg
kith pkg show one/parameters.pkg
