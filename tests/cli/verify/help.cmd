kith verify --help
