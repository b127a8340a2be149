-- name of a set, member, limit (0: any number of members): whether the member is in it now.
local name, member, limit = prefix .. arguments[1], arguments[2], tonumber(arguments[3])
if limit == 0 or redis.call('SCARD', name) < limit then
    redis.call('SADD', name, member)
end
return redis.call('SISMEMBER', name, member)
