kith pkg init -o one -q
kith pkg show one --parameters one/parameters.pkg
