# no line of any help page has more than 78 characters
tree=$("$FIXTURES/../../../tools/help-tree" "$(command -v kith)" | cut -f1)
[ "$(wc -l <<<"$tree")" -ge 20 ]
{ kith --help; while read -r words; do kith $words --help; done <<<"$tree"; } | grep -E '^.{79,}' || echo all fit
