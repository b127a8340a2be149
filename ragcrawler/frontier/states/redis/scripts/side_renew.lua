-- until, keys...: prolong the leases that this worker still has; those that it has not.
local lost = {}
for index = 2, #arguments do
    local held = redis.call('HGET', HELD, arguments[index])
    if held and string.match(held, '^%S+') == ARGV[1] then
        redis.call('ZADD', LEASES, arguments[1], arguments[index])
    else
        lost[#lost + 1] = arguments[index]
    end
end
return lost
