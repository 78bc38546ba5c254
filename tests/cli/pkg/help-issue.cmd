kith pkg issue --help
