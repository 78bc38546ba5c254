# the attacker's own table; without a study there are no hierarchies
kith generate hospital -n 400 --seed 1 -o one.csv > made.txt
kith generate hospital -n 300 --seed 2 -o two.csv > made.txt
kith describe one.csv --known two.csv --seed 1 --json --no-progress | sed -n '/"exposure"/,$p'
