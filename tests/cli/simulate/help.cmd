kith simulate --help
