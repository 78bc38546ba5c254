trap 'ls -A' EXIT
kith simulate - -i - -o run --sites 2
