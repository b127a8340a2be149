-- now, until, limit, sites...: release what ran out, then lease URLs of these sites, in their order: key, number of the
-- lease and record of each.
local now, ends, limit = arguments[1], arguments[2], tonumber(arguments[3])
release_ended(now)
local found = {}
for index = 4, #arguments do
    while #found < 3 * limit do
        local key, record = pop(arguments[index])
        if not key then
            break
        end
        local lease, text = begin_lease(key, ends, record)
        found[#found + 1], found[#found + 2], found[#found + 3] = key, lease, text
    end
end
return found
