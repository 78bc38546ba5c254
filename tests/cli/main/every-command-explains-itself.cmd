for c in $(kith --help | sed -n "s/^  \([a-z]*\)  .*/\1/p"); do
  kith help $c > page
  grep -q "^Usage: kith $c" page || echo "$c: no usage"
  tail -n 4 page | grep -q "^  kith " || echo "$c: does not end in an example"
done
