s=$FIXTURES/joint.yaml d=$FIXTURES/joint.csv
try() { kith simulate $s -i $d -o run "$@"; echo $?; }
try --split cells --sites 2
try --split hash: --sites 2
try --split 0x2
try --split rows
try --split by:ward --sites 4
try --split by:floor --sites 2
try --split columns:age,disease/sex
try --split columns:age,disease/sex,zip,zip
try --split columns:age,disease/sex,zip,name
try --split columns:age,disease/sex,zip,height
try --split columns:age,zip/sex,disease --sites 3
try --split 3x3 --sites 4
sed 's/^study:.*/&\npartition: vertical/' $s > vertical.yaml; s=vertical.yaml
try --split rows --sites 2
try --sites 4
sed 's/vertical/hybrid/' vertical.yaml > hybrid.yaml; s=hybrid.yaml
try --sites 3
ls
