kith study init --help
kith study check --help
kith study digest --help
