kith anonymize
