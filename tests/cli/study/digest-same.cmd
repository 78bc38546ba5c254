# the same study in other words, with hierarchy files of other names
kith study digest $FIXTURES/study/digest/one.yaml
kith study digest $FIXTURES/study/digest/two.yaml
