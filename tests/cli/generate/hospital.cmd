kith generate hospital -n 5 --seed 1 -o data.csv
cat data.csv data.study.yaml
head -3 hierarchies/*
