-- site, seconds: the request of a turn was sent now; no other turn before they are over.
return once(function()
    raise('turn_at', string.format('%.6f', seconds() + arguments[2]))
    touch()
    return 1
end)
