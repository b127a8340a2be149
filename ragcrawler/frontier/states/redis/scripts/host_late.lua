-- site, seconds: a request seems to have arrived so long ago only: the delay after it counts from then.
raise(row_of(arguments[1]), 'sent_at', text_of(seconds() - arguments[2]))
return 1
