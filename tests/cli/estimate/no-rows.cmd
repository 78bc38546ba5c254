(cat $FIXTURES/joint/ages.yaml; echo 'partition: horizontal') > s.yaml
printf 'age,ill\n' > empty.csv
kith estimate s.yaml -i empty.csv --sites 3
