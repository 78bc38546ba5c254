s=$FIXTURES/two-parties.yaml
kith cert init north -o n.key --quiet
as="--as north --key n.key"
kith smc sum; echo $?
kith smc product $s $as 1; echo $?
kith smc sum $s $as; echo $?
kith smc sum $s $as 1 x; echo $?
kith smc and $s $as 1 2; echo $?
kith smc max $s $as 1; echo $?
kith smc max $s $as 1 --range 9:3; echo $?
kith smc max $s $as 7 --range 3:5; echo $?
kith smc union $s $as abcdef --width 5; echo $?
kith smc sum $s $as 1 -i values.txt; echo $?
kith smc sum $s $as -i values.txt; echo $?
