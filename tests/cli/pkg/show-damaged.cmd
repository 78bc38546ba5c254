generators one
sed -i '9s/^./*/' one/parameters.pkg
kith pkg show one/parameters.pkg
