kith study
