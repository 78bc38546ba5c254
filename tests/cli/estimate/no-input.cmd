kith estimate s.yaml
