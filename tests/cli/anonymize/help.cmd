kith anonymize --help
