-- key: give an open record back.
return once(function()
    release(arguments[1])
    return 1
end)
