"""Documents that lie on this machine: folders of files, and exports of other crawlers."""
