// Nothing to call: linking this target is what it takes. See mutex.c.
