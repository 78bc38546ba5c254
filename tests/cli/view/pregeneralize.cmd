# cells that start above the leaves; a level that the hierarchy does not have; masters with data
s=$FIXTURES/joint.yaml d=$FIXTURES/joint.csv
try() {
  { cat $s; echo "partition: horizontal"; echo "protocol: encrypted-view"; cat; } > joint.yaml
  kith simulate joint.yaml -i $d --sites 3 -o run --in-process --quiet --force 2>&1 |
    sed 's/site[123]: //'; echo ${PIPESTATUS[0]}
}
try <<'END'
algorithm: sequential
pregeneralize: {zip: 2, age: 1}
END
cut -d, -f3 run/release.csv | tail -n +2 | grep -c '[0-9][0-9][0-9][0-9]'
cut -d, -f1 run/release.csv | tail -n +2 | grep -c -x '[0-9]*'
kith verify joint.yaml run/release.csv --quiet; echo $?
try <<'END'
algorithm: sequential
pregeneralize: {sex: 1}
END
try <<'END'
algorithm: flash
master: site2
END
wc -l < run/release.csv
try <<'END'
algorithm: flash
replicas: 2
END
wc -l < run/release.csv
echo "# what needs an order or other tables is refused before anything is sent"
try <<'END'
algorithm: hilbert
END
