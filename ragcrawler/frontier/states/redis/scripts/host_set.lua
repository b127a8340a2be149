-- site, field, value, ...: set fields.
redis.call('HSET', row, unpack(arguments, 2))
touch()
