-- Every script begins with this one. KEYS[1]: prefix of the crawl's keys. ARGV[1]: who calls; ARGV[2]: number of the
-- call, 0 where it has no effect; ARGV[3], ARGV[4]: key and number of a lease without which nothing happens, or "";
-- ARGV[5]: how many of the next belong to writes that waited for it; the rest is the script's own. A call that is
-- repeated, because its answer was lost with the connection, gets the answer again and has no second effect.
local prefix = KEYS[1]
local memory = prefix .. 'call:' .. ARGV[1]
if ARGV[2] ~= '0' then
    local last = redis.call('GET', memory)
    if last then
        local number, answer = unpack(cmsgpack.unpack(last))
        if number == ARGV[2] then
            return answer
        end
    end
end

local own = 6 + ARGV[5]
local arguments = {}
for index = own, #ARGV do
    arguments[index - own + 1] = ARGV[index]
end

-- The number of the lease of a record, "0" where it has none or is parked.
local function lease_of(key)
    local leased = redis.call('HGET', prefix .. 'leased', key)
    return leased and string.match(leased, '^%d+') or '0'
end

-- What is parked stays so, and is nobody's.
local function forget_lease(key)
    local leased = redis.call('HGET', prefix .. 'leased', key)
    if leased then
        redis.call('HSET', prefix .. 'leased', key, '0' .. string.match(leased, '\n.*$'))
    end
end
