mkdir d
kith generate hospital -n 10 -o d
