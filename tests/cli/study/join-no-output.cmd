kith study join base.yaml north.party south.party
