kith generate hospital -n 10 --seed 1 -o /dev/null
ls /dev/hierarchies /dev/*.yaml 2>/dev/null || true
