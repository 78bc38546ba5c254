kith study check --help
