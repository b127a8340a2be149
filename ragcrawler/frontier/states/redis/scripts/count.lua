-- name of a hash, key, amount: add to a counter; its new value.
return once(function()
    return redis.call('HINCRBY', prefix .. arguments[1], arguments[2], arguments[3])
end)
