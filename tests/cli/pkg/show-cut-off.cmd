generators one
head -c 1000 one/parameters.pkg > f
kith pkg show f
