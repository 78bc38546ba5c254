kith hierarchy build --help
