cp -r $FIXTURES/study/init/. .
kith study init people.csv
