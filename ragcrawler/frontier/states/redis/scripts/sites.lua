-- The hosts with open records that nobody holds.
local found = {}
for _, site in ipairs(redis.call('ZRANGE', prefix .. 'due', 0, -1)) do
    if has_queued(site) then
        found[#found + 1] = site
    end
end
return found
