trap ls EXIT
kith simulate - -i - -o run --sites 2
