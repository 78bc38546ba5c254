generators one
sed '2s/$/\r/' one/parameters.pkg > f
kith pkg show f
