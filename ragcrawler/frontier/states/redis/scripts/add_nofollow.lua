-- key: enter a record as skipped, unless it is known.
local key = arguments[1]
return once(function()
    if outcome_of(key) then
        return 0
    end
    set_outcome(key, NOFOLLOW)
    return 1
end)
