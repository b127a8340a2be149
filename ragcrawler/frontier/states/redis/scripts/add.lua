-- key, site, priority, entry, parent: enter a record, or reopen one that was skipped as nofollow.
local key, site, priority, entry, parent = unpack(arguments)
return once(function()
    local current = outcome_of(key)
    if current and current ~= NOFOLLOW then
        return 0
    end
    local sequence = redis.call('INCR', prefix .. 'sequence')
    if current then
        redis.call('HSET', prefix .. 'reopened', key, sequence)
    end
    set_outcome(key, OPEN)
    add_entry(site, priority, key .. sequence .. '\n' .. entry, parent)
    return 1
end)
