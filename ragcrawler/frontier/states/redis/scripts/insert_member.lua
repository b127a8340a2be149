-- name of a set, member, limit (0: any number of members): whether the member is new.
local name, limit = prefix .. arguments[1], tonumber(arguments[3])
if limit > 0 and redis.call('SCARD', name) >= limit then
    return 0
end
return redis.call('SADD', name, arguments[2])
