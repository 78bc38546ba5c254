kith study check $FIXTURES/study/utility.yaml 2>&1 | sed -e 's/those that can are .*/those that can are …/' -e 's/expected lm, .*, found/expected …, found/'
