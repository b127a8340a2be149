-- site, now, until: take the first text of a host; key and text, nothing where there is none.
local site, now, ends = unpack(arguments)
side_release_ended(now)
local waiting = prefix .. 'side:' .. site
local found = {}
while #found == 0 and redis.call('ZCARD', waiting) > 0 do
    local key = redis.call('ZPOPMIN', waiting)[1]
    local text = redis.call('HGET', TEXTS, key)
    if text then
        redis.call('ZADD', LEASES, ends, key)
        redis.call('HSET', HELD, key, ARGV[1] .. ' ' .. site)
        found = {key, text}
    end
end
if redis.call('ZCARD', waiting) == 0 then
    redis.call('SREM', prefix .. 'side_sites', site)
end
return found
