-- key, lease: give a record back that has this lease.
if lease_of(arguments[1]) == arguments[2] then
    release(arguments[1])
end
return 1
