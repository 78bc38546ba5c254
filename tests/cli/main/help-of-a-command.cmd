kith help generate | sed -n 1p
