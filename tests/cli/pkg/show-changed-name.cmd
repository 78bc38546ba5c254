generators one
kith pkg issue one north -o north.id.key -q
sed -i 's/north/south/' north.id.key
kith pkg show north.id.key --parameters one/parameters.pkg -q
