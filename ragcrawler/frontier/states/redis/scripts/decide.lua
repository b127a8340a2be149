-- key, check bytes, site, "status reason", JSON of a failed URL or "": decide a record that is not decided, or fetched.
local key, check, site, outcome, failed = unpack(arguments)
return once(function()
    local current = outcome_of(key)
    if current and current ~= OPEN and current ~= LEASED and current ~= FETCHED then
        return 0
    end
    if current == LEASED then
        end_lease(key)
    elseif current == OPEN then
        remove_entry(site, key)
    end
    set_outcome(key, number_of(outcome), check)
    if failed ~= '' then
        redis.call('HSET', prefix .. 'failed', key, failed)
    end
    return 1
end)
