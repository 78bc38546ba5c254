kith hierarchy show --help
