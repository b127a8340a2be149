-- Whether this worker alone may open the collection now; who died over it holds up nobody.
local holder = redis.call('GET', prefix .. 'opening')
if holder and holder ~= ARGV[1] then
    local alive = redis.call('ZSCORE', prefix .. 'workers', holder)
    if alive and tonumber(alive) > seconds() then
        return 0
    end
end
redis.call('SET', prefix .. 'opening', ARGV[1])
return 1
