-- now, until, limit, sites...: release what ran out, then lease URLs of these sites, in their order.
local now, ends, limit = arguments[1], arguments[2], tonumber(arguments[3])
return once(function()
    release_ended(now)
    local found = {}
    for index = 4, #arguments do
        while #found < 2 * limit do
            local key, record = pop(arguments[index])
            if not key then
                break
            end
            record.attempts = record.attempts + 1
            record.worker = ARGV[1]
            local text = cjson.encode(record)
            begin_lease(key, ends, text)
            found[#found + 1] = key
            found[#found + 1] = text
        end
    end
    return found
end)
