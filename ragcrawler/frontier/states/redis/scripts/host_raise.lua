-- site, field, value: set it where it is less; whether it was.
return raise(row_of(arguments[1]), arguments[2], arguments[3])
