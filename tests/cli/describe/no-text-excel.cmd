printf 'PK\3\4\24\0\6\0[Content_Types].xml' >x.xlsx
kith describe x.xlsx
