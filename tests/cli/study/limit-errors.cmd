pin=sha256:1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a1f6d2b3a
study() {
  echo 'study: a'
  echo 'columns: [{name: age, role: quasi-identifying}]'
  echo 'privacy: [{model: k-anonymity, k: 2}]'
  echo "limit: $1"
}
parties() {
  echo 'timeout: 60'
  echo 'parties:'
  echo "  - {name: north, address: \"127.0.0.1:7001\", key: \"$pin\"}"
  echo "  - {name: south, address: \"127.0.0.1:7002\", key: \"${pin/1f/2f}\"}"
}
for limit in hours 1e9 31d 30s 2weeks .; do
  { study "$limit"; parties; } > "limit-$limit.yaml"
  kith study check "limit-$limit.yaml" || true
done
study 2h > alone.yaml
kith study check alone.yaml
