kith foo
kith anonymze
kith verfiy s.yaml
kith help descr
kith hi
