kith generate hospital -z
