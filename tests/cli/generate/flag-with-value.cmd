kith generate hospital -n 5 -o - --quiet=yes
