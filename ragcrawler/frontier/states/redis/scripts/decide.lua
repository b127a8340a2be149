-- key, check bytes, site, "status reason", JSON of a failed URL or "", lease: decide a record that is not decided, or
-- fetched. Who names no lease decides about what nobody leases, or what is parked.
local key, check, site, outcome, failed, lease = unpack(arguments)
local current = outcome_of(key)
if lease_of(key) ~= lease then
    return lease == '0' and 0 or redis.error_reply('LEASE this worker has it no more')
end
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
