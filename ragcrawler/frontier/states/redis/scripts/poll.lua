-- Seconds of a lease; most URLs; most of a host without a delay; seconds of turns of a host; the usual delay; hosts that
-- are left out...: release what ran out; then lease URLs of hosts whose turn has come, or comes so soon that a worker may
-- look up names meanwhile, each with its turn. Some hosts of the side queue, then of each URL: key, number of the lease,
-- record, and when its turn is.
local LEAD, MOST_LATE, SIDE_SITES = 1, 0.05, 32
local ends, most, of_host, ahead, usual = unpack(arguments)
most = tonumber(most)
local now = seconds()
release_ended(now)
side_release_ended(now)
local found = {redis.call('SRANDMEMBER', prefix .. 'side_sites', SIDE_SITES)}
local leases, leased = nil, 0

local function lease_of_host(site)
    local row = row_of(site)
    local turn, held, asked, pace = unpack(redis.call('HMGET', row, 'turn_at', 'held_until', 'delay_seconds', 'pace'))
    local delay = math.max(pace or usual, asked or 0)
    local first = math.max(turn or 0, held or 0, now - MOST_LATE)
    if first > now + LEAD then
        redis.call('ZADD', prefix .. 'due', first - LEAD, site)
        return
    end
    local count = delay > 0 and math.max(1, math.floor(ahead / delay)) or tonumber(of_host)
    redis.call('ZADD', prefix .. 'due', now, site)
    leases = leases or next_leases(most)
    local taken = 0
    while taken < count and leased < most do
        local key, record = pop(site)
        if not key then
            break
        end
        local lease, text = begin_lease(key, now + ends, record, leases + leased)
        local index = #found
        found[index + 1], found[index + 2], found[index + 3] = key, lease, text
        found[index + 4] = text_of(first + taken * delay)
        taken, leased = taken + 1, leased + 1
    end
    if delay > 0 and taken > 0 then
        local following = first + taken * delay
        redis.call('HSET', row, 'turn_at', text_of(following))
        redis.call('EXPIRE', row, ROW_SECONDS)
        redis.call('ZADD', prefix .. 'due', 'XX', following - LEAD, site)
    end
end

local left_out = {}
for index = 6, #arguments do
    left_out[arguments[index]] = true
end
local sites = redis.call(
    'ZRANGEBYSCORE', prefix .. 'due', '-inf', now, 'LIMIT', 0, most + #arguments - 5
)
for _, site in ipairs(sites) do
    if leased == most then
        break
    elseif not left_out[site] then
        lease_of_host(site)
    end
end
return found
