kith --version
