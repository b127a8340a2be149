"""The links of a page, and the addresses that it declares."""
