generators one
head -n 20 one/parameters.pkg > f
kith pkg show f
