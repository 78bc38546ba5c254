# Over rows every protocol keeps m-privacy, also where the study does not say so: beside a model about values with two of them.
for protocol in weave clustering mondrian; do
  for models in '{model: k-anonymity, k: 3}' '{model: k-anonymity, k: 3}, {model: l-diversity, l: 2, attribute: disease}'; do
    { echo "study: ward"; echo "columns:"
      for column in zip age sex disease; do grep "name: $column," $FIXTURES/joint.yaml; done
      echo "privacy: [$models]"; echo "partition: horizontal"; echo "protocol: $protocol"; echo "publish: own-rows"; } > s.yaml
    echo "$protocol"
    kith simulate s.yaml -i $FIXTURES/joint.csv -o run --sites 3 --seed 1 --in-process --force | sed -n '/m-privacy/,$p'
  done
done
