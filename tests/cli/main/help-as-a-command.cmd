kith help | sed -n 1p
