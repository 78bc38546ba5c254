kith cert init 'no rth' -o n.key
