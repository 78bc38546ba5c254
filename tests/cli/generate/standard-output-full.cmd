kith generate hospital -n 1000 --seed 1 -o - >/dev/full
