echo 'studdy: x' | kith study check -
