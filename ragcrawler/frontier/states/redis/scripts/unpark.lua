-- key: number a lease of a parked record, which stays parked: its number, "0" where it is none.
local key = arguments[1]
local leased = redis.call('HGET', prefix .. 'leased', key)
local text = leased and string.match(leased, '^0\n(.*)$')
if not text then
    return '0'
end
local number = string.format('%.0f', next_leases(1))
if text == '' then
    redis.call('HINCRBY', prefix .. 'taken', key, 1)
else
    local record = cjson.decode(text)
    record.attempts = record.attempts + 1
    text = cjson.encode(record)
end
redis.call('HSET', prefix .. 'leased', key, number .. '\n' .. text)
return number
