kith pkg issue gen north -o north.id.key
