echo hello > n.key
chmod 644 n.key
kith cert show n.key
