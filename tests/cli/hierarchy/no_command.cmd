kith hierarchy
