printf '8\xf6hm;4\n9;5\n' >'my data.csv'
kith study init 'my data.csv' -o "it's.yaml" --separator ';' --encoding LATIN1 --no-header
kith study check "it's.yaml" 'my data.csv' --separator ';' --encoding LATIN1 --no-header -q
