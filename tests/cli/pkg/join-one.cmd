generators one
kith pkg join one/parameters.pkg -o joint.pkg
