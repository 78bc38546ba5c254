kith report --help
