-- The side queue. texts:asked_target: key -> text; side:<site>: zset of waiting keys by sequence; side_sites: set of
-- hosts that have some; side_leases: zset, key -> when its lease ends; side_held: key -> worker and site.
local TEXTS, LEASES, HELD = prefix .. 'texts:asked_target', prefix .. 'side_leases', prefix .. 'side_held'

local function side_end_lease(key)
    redis.call('ZREM', LEASES, key)
    redis.call('HDEL', HELD, key)
end

local function side_queue(key, site, sequence)
    redis.call('ZADD', prefix .. 'side:' .. site, 'NX', sequence, key)
    redis.call('SADD', prefix .. 'side_sites', site)
end

local function side_release_ended(now)
    for _, key in ipairs(redis.call('ZRANGEBYSCORE', LEASES, '-inf', now, 'LIMIT', 0, 1000)) do
        local _, site = string.match(redis.call('HGET', HELD, key), '^(%S+) (.*)$')
        side_end_lease(key)
        side_queue(key, site, 0)
        forget_lease(key) -- of its page, which ends with this one
    end
end
