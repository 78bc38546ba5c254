kith describe
