# Nothing is known of the columns: nothing is suggested, above all not that they may be released.
echo name,age,disease > d.csv
trap 'ls -A' EXIT
kith study init d.csv -o s.yaml
