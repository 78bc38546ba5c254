(echo visit,logged,booked; for i in 1 2 3 4 5 6 7 8 9; do echo "2024-03-0$i 08:0$i:00,2024-03-0${i}T08:15:3${i}Z,$i/3/2024 17:45"; done) > t.csv
kith study init t.csv -o s.yaml
sed '/^privacy/,$d' s.yaml
kith describe t.csv
kith study check s.yaml t.csv
