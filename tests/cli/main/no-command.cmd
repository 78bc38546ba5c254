kith
