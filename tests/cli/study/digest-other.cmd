# another hierarchy file
sed "s,b/work.csv,$FIXTURES/study/digest/b/other.csv," $FIXTURES/study/digest/two.yaml > three.yaml
kith study digest three.yaml
