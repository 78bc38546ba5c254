kith generate hospital -n
