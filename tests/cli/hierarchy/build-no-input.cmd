kith hierarchy build suppress --column age
