kith help nothing
