kith verfiy s.yaml
