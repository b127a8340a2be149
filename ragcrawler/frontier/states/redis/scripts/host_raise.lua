-- site, field, value: set it where it is less; whether it was.
return once(function()
    local is_raised = raise(arguments[2], arguments[3])
    touch()
    return is_raised
end)
