kith --help >/dev/full
