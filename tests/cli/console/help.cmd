kith console --help
