-- until, then key and lease of each: prolong leases that are still these; the keys of those that are not.
local lost = {}
for index = 2, #arguments, 2 do
    local key = arguments[index]
    if lease_of(key) == arguments[index + 1] then
        redis.call('ZADD', prefix .. 'leases', arguments[1], key)
    else
        lost[#lost + 1] = key
    end
end
return lost
