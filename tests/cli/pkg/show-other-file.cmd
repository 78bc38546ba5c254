echo 'hello: world' > f
kith pkg show f
