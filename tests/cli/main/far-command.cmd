kith foo
