kith pkg init
