kith study chekc x.yaml
