kith generate survey --rows=2 --output=- --seed=1 | md5sum >a; kith generate -n2 -o- --seed 1 survey | md5sum >b; kith generate --seed 1 -n 2 -o - -- survey | md5sum >c; cmp a b && cmp b c
