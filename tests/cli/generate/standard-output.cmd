kith generate survey -n 3 --seed 42 -o -
ls
