kith pkg
