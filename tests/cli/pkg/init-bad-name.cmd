trap ls EXIT
kith pkg init -o gen --name "$(printf 'a\tb')"
