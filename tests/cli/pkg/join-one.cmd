kith pkg init -o one -q
kith pkg join one/parameters.pkg -o joint.pkg
