-- key, check bytes, site, priority, entry, parent, "status reason" of a decided record or "": enter a record, or put
-- it in place of one that was skipped as nofollow: 1; 0 where it is known, -1 where its key is that of another page.
local key, check, site, priority, entry, parent, decided = unpack(arguments)
if is_other_page(key, check) then
    return -1
end
local current = outcome_of(key)
if current and current ~= NOFOLLOW then
    return 0
end
if decided ~= '' then
    set_outcome(key, number_of(decided), check)
    return 1
end
local sequence = redis.call('INCR', prefix .. 'sequence')
if current then
    redis.call('HSET', prefix .. 'reopened', key, sequence)
end
set_outcome(key, OPEN, check)
add_entry(site, priority, key .. sequence .. '\n' .. entry, parent)
return 1
