kith estimate
