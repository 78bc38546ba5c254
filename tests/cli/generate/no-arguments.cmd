kith generate
