-- site, field, value, ...: set fields.
redis.call('HSET', row_of(arguments[1]), unpack(arguments, 2))
redis.call('EXPIRE', row_of(arguments[1]), ROW_SECONDS)
return 1
