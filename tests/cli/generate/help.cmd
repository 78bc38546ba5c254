kith generate --help
