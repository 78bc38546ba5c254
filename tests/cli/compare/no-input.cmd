kith compare s.yaml
