; Data only: nothing refers to anything.
