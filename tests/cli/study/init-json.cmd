printf 'age,sex\n1,m\n2,f\n3,m\n4,f\n5,m\n6,f\n' > d.csv
kith study init d.csv -o d.yaml --json
