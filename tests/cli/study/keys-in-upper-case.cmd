# Keys in upper case, in groups and as digits, are those in lower case: the same digest.
key=$(printf 'ab%.0s' $(seq 32)); other=$(printf '0f%.0s' $(seq 32))
study() {
  printf 'study: joint\ncolumns: [{name: age, role: quasi-identifying}]\nprivacy: [{model: k-anonymity, k: 2}]\n'
  printf 'partition: horizontal\nparties:\n'
  printf '  - {name: north, address: "127.0.0.1:1", key: "%s"}\n' "$1"
  printf '  - {name: south, address: "127.0.0.1:2", key: "%s"}\n' "$2"
}
study "sha256:$key" "$other" > lower.yaml
study "SHA256:${key^^}" "$(sed 's/..../& /g' <<< "${other^^}")" > upper.yaml
kith study digest upper.yaml --expect "$(kith study digest lower.yaml)"
