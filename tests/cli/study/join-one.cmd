kith study join base.yaml north.party -o s.yaml
