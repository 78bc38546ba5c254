kith smc sum
