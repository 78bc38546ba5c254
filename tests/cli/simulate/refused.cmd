s=$FIXTURES/joint.yaml d=$FIXTURES/joint.csv
echo "# the output directory has a result, or is none"
mkdir old; touch old/release.csv; kith simulate $s -i $d -o old --sites 2; echo $?
mkdir -p folder/site2; kith simulate $s -i $d -o folder --sites 2; echo $?
touch file; kith simulate $s -i $d -o file --sites 2; echo $?
echo "# bad data is found before any site starts, with its line"
sed '5s/.*/old,f,81667,a,flu,E/' $d > bad.csv
kith simulate $s -i bad.csv -o run --sites 2; echo $?
echo "# a study that cannot be cut, and one that no protocol can run"
echo '{study: a, columns: [{name: age, role: quasi-identifying}], privacy: [{model: k-anonymity, k: 2}]}' > flow.yaml
kith simulate flow.yaml -i $d -o run --sites 2; echo $?
sed 's/^study:.*/&\nalgorithm: flash/' $s > flash.yaml
kith simulate flash.yaml -i $d -o run --sites 2; echo $?
ls
echo "# a master that is no site of the simulation"
sed 's/^study:.*/&\npartition: horizontal\nprotocol: encrypted-view\nmaster: site4/' $s > master.yaml
kith simulate master.yaml -i $d -o run --sites 3; echo $?
kith simulate master.yaml -i $d -o run --sites 2; echo $?
echo "# the data would be overwritten"
mkdir -p again/site1; cp $d again/release.csv; cp $d again/site1/release.csv
kith simulate $s -i again/release.csv -o again --sites 2 --force; echo $?
kith simulate $s -i again/site1/release.csv -o again --sites 2 --force; echo $?
cmp $d again/release.csv
