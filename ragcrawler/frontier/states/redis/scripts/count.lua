-- name of a hash, key, amount: add to a counter; its new value.
return redis.call('HINCRBY', prefix .. arguments[1], arguments[2], arguments[3])
