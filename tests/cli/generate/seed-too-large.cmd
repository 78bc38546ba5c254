kith generate hospital -n 5 -o - --seed 18446744073709551616
