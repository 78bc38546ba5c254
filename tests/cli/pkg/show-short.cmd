kith pkg init -o one -q
head -n 20 one/parameters.pkg > f
kith pkg show f
