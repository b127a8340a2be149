-- site, priority, position, limit, parent before it ("" at the start): some open records of a queue, for a dump:
-- parent, entries that were looked at, then keys and records.
local site, priority, position, limit = arguments[1], arguments[2], tonumber(arguments[3]), tonumber(arguments[4])
local parent = arguments[5]
if position == 0 then
    parent = redis.call('HGET', prefix .. 'marks:' .. site, 'c' .. priority) or ''
end
local entries = redis.call('LRANGE', queue_name(site, priority), position, position + limit - 1)
local found = {'', #entries}
for _, entry in ipairs(entries) do
    local key = string.sub(entry, 2, 9)
    if string.sub(entry, 1, 1) == '^' then
        parent = string.sub(entry, 2)
    elseif not is_stale(key, string.sub(entry, 10)) then
        local is_taken = taken_by(key)
        if outcome_of(key) == OPEN and redis.call('HEXISTS', prefix .. 'returned', key) == 0 or is_taken then
            found[#found + 1] = key
            found[#found + 1] = cjson.encode(record_of(site, priority, string.sub(entry, 2), parent))
        end
    end
end
found[1] = parent
return found
