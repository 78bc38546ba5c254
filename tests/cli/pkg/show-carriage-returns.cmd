generators one
sed 's/$/\r/' one/parameters.pkg > f
kith pkg show f
