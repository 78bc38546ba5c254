printf 'age,\033[1mzip\n20,1\n21,2\n' > data.csv
kith study init data.csv
