echo hello > n.key
chmod 600 n.key
kith cert show n.key
