kith compare s.yaml -i - --sites 3
