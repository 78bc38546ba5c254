kith anonymise
