kith generate hospital -n 10
