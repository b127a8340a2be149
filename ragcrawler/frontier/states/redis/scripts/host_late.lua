-- site, seconds: a request seems to have arrived so long ago only: the delay after it counts from then.
return once(function()
    raise('sent_at', string.format('%.6f', seconds() - arguments[2]))
    touch()
    return 1
end)
