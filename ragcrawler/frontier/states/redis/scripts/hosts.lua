-- The rows of hosts: `host:<site>`, a hash. `turn_at`: when any worker may take the next turn; `sent_at`: when the last
-- request was sent. Requests in flight are counted by worker, in f:<worker>: those of a
-- worker that has not been heard of for `alive_seconds` have ended. Times come and go as texts: a number of Lua's has 14 digits.
local ROW_SECONDS = 30 * 24 * 3600
local row = prefix .. 'host:' .. (arguments[1] or '')

local function seconds()
    local time = redis.call('TIME')
    return time[1] + time[2] / 1000000
end

local function beat()
    local alive = redis.call('GET', prefix .. 'alive_seconds') or 60
    redis.call('ZREMRANGEBYSCORE', prefix .. 'workers', '-inf', seconds() - alive)
    redis.call('ZADD', prefix .. 'workers', seconds() + alive, ARGV[1])
end

local function touch()
    redis.call('EXPIRE', row, ROW_SECONDS)
    beat()
end

local function number(field)
    return tonumber(redis.call('HGET', row, field) or 0)
end

local function raise(field, value)
    if number(field) >= tonumber(value) then
        return 0
    end
    redis.call('HSET', row, field, value)
    return 1
end

local function in_flight()
    local sum, now, dead = 0, seconds(), {}
    local fields = redis.call('HGETALL', row)
    for index = 1, #fields, 2 do
        if string.sub(fields[index], 1, 2) == 'f:' then
            local alive = redis.call('ZSCORE', prefix .. 'workers', string.sub(fields[index], 3))
            if alive and tonumber(alive) > now then
                sum = sum + fields[index + 1]
            else
                dead[#dead + 1] = fields[index]
            end
        end
    end
    if #dead > 0 then
        redis.call('HDEL', row, unpack(dead))
    end
    return sum
end
