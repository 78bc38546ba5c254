kith hierarchy paint
