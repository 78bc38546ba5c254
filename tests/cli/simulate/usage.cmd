s=$FIXTURES/joint.yaml d=$FIXTURES/joint.csv
kith simulate $s -o run --sites 2; echo $?
kith simulate $s -i $d --sites 2; echo $?
kith simulate $s -i $d -o run; echo $?
kith simulate $s -i $d -o run --sites 1; echo $?
kith simulate $s -i $d -o run --sites 65; echo $?
kith simulate $s -i $d -o run --sites two; echo $?
kith simulate $s -i $d -o run --sites 2 --delay soon; echo $?
kith simulate - -i - -o run --sites 2; echo $?
kith simulate missing.yaml -i $d -o run --sites 2; echo $?
kith simulate $s -i missing.csv -o run --sites 2; echo $?
kith simulate $s -i $d -o missing/run --sites 2; echo $?
ls
