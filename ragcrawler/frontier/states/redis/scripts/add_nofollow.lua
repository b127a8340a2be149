-- key, check bytes: enter a record as skipped, unless it is known.
local key, check = unpack(arguments)
if outcome_of(key) then
    return 0
end
set_outcome(key, NOFOLLOW, check)
return 1
