generators one
kith pkg show one --parameters one/parameters.pkg
