"""Files and disks: durable writes, free space, files that may only be read."""
