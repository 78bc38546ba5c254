trap 'ls -A' EXIT
kith pkg init -o gen --name "$(printf 'a\tb')"
