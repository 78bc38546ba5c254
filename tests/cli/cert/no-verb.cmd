kith cert
