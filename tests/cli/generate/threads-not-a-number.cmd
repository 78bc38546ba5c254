kith generate hospital -n 5 -o - --threads two
