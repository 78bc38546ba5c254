mkdir sub
kith generate survey -n 3 --seed 42 -o sub/people
find sub | sort
