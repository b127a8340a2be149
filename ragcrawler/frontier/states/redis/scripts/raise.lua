-- name of a hash, key, value: set a counter where it is less.
local name = prefix .. arguments[1]
local current = redis.call('HGET', name, arguments[2]) or 0
if tonumber(current) < tonumber(arguments[3]) then
    redis.call('HSET', name, arguments[2], arguments[3])
end
