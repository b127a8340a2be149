-- Nothing but the writes that wait.
return 1
