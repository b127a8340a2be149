-- "status reason", limit: decide some of the open records; how many there were.
local outcome, limit = number_of(arguments[1]), tonumber(arguments[2])
local closed = 0
for _, key in ipairs(redis.call('ZRANGE', prefix .. 'leases', 0, limit - 1)) do
    end_lease(key)
    set_outcome(key, outcome)
    closed = closed + 1
end
while closed < limit do
    local site = redis.call('ZRANGE', prefix .. 'due', 0, 0)[1]
    if not site then
        break
    end
    local key = pop(site)
    if key then
        set_outcome(key, outcome)
        closed = closed + 1
    end
end
return closed
