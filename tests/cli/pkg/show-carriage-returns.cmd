kith pkg init -o one -q
sed 's/$/\r/' one/parameters.pkg > f
kith pkg show f
