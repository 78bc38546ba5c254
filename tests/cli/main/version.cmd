kith --version; kith -V
