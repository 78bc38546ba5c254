kith pkg show nowhere.pkg
