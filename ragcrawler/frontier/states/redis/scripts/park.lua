-- key, lease: let nobody lease an open record that has this lease, or none where it is "0"; whether nobody can.
local key, lease = unpack(arguments)
local current = outcome_of(key)
if current == OPEN and lease == '0' then
    local record = take_returned(key)
    set_outcome(key, LEASED)
    redis.call('HSET', prefix .. 'leased', key, '0\n' .. (record and cjson.encode(record) or ''))
elseif current == LEASED and lease_of(key) == lease then
    local text = string.match(redis.call('HGET', prefix .. 'leased', key), '\n(.*)$')
    redis.call('HSET', prefix .. 'leased', key, '0\n' .. text)
else
    return 0
end
redis.call('ZADD', prefix .. 'leases', 'inf', key)
return 1
