kith cert; echo $?
kith cert renew; echo $?
kith cert init north; echo $?
kith cert init north -o n.key --days 0; echo $?
kith cert init "" -o n.key; echo $?
kith cert init north -o no/such/directory/n.key; echo $?
kith cert show missing.key; echo $?
echo hello > n.key; chmod 644 n.key; kith cert show n.key; echo $?
chmod 600 n.key; kith cert show n.key; echo $?
ls
