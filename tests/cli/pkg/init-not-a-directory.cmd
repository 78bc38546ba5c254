touch gen
kith pkg init -o gen
