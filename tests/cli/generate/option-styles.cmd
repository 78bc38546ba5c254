kith generate survey --rows=2 --output=- --seed=1 > a
kith generate -n2 -o- --seed 1 survey > b
kith generate --seed 1 -n 2 -o - -- survey > c
cmp a b
cmp b c
