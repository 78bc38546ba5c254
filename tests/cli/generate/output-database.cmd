kith generate hospital -n 10 -o "sqlite:x.db?table=t"
