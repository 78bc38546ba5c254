# Times of a study and of options have the same units.
cp $FIXTURES/two-parties.yaml s.yaml
digest() { sed "s/^timeout:.*/timeout: $1/" s.yaml > t.yaml; kith study digest t.yaml; }
[ "$(digest 3600)" = "$(digest 1h)" ] && [ "$(digest 90)" = "$(digest 1.5min)" ] && [ "$(digest 0.5)" = "$(digest 500ms)" ]
digest 90s > /dev/null
digest 2weeks
