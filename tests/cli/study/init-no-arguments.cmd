kith study init
