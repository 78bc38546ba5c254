kith generate hospital -n 10 --seed 1 -o /dev/full
