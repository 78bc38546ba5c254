kith hierarchy --help
