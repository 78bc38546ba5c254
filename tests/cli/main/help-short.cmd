kith -h | sed -n 1p
