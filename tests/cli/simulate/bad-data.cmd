# bad data is found before any site starts, with its line
sed '5s/.*/old,f,81667,a,flu,E/' $FIXTURES/joint.csv > bad.csv
trap 'ls -A' EXIT
kith simulate $FIXTURES/joint.yaml -i bad.csv -o run --sites 2
