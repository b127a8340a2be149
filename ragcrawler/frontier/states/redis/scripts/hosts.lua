-- The rows of hosts: `host:<site>`, a hash. `turn_at`: when any worker may take the next turn; `sent_at`: when the last
-- request was sent; `pace`: the delay that workers keep, where it is not the usual one. Times come and go as texts: a
-- number of Lua's has 14 digits.
local ROW_SECONDS = 30 * 24 * 3600

local function row_of(site)
    return prefix .. 'host:' .. site
end

local function seconds()
    local time = redis.call('TIME')
    return time[1] + time[2] / 1000000
end

local function text_of(time)
    return string.format('%.6f', time)
end

local function raise(row, field, value)
    if tonumber(redis.call('HGET', row, field) or 0) >= tonumber(value) then
        return 0
    end
    redis.call('HSET', row, field, value)
    redis.call('EXPIRE', row, ROW_SECONDS)
    return 1
end
