kith pkg init -o one -q
sed '2s/$/\r/' one/parameters.pkg > f
kith pkg show f
