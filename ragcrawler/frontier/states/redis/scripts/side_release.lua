-- now: queue what is leased no more.
side_release_ended(arguments[1])
