sed -e 's/publish: virtual/publish: own-rows/' $FIXTURES/virtual.yaml >s.yaml
kith study check s.yaml
