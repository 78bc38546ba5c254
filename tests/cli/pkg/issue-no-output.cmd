kith pkg issue gen north
