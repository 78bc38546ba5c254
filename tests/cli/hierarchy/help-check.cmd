kith hierarchy check --help
