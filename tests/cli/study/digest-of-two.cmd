kith study digest a b
