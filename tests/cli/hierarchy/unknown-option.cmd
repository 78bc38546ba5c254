kith hierarchy show --colour x
