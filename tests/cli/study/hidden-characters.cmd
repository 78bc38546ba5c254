# Characters that would act on the terminal, in names that messages quote.
printf 'study: "a\\e[2J"\ncolumns: [{name: "\\e[31mage\\u009b", role: quasi-identifying}]\n' > s.yaml
printf 'privacy: [{model: l-diversity, variant: distinct, l: 2, attribute: "\\u202eega\\r"}]\n' >> s.yaml
kith study check s.yaml
