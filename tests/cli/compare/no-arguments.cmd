kith compare
