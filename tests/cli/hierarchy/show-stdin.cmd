printf "a,X,*\nb,Y,*\n" | kith hierarchy show -
