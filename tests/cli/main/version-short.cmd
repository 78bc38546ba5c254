kith -V
