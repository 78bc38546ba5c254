kith study join --help
