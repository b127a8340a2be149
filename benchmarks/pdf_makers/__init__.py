"""Documents of known text in many layouts, and the programs that make PDFs of them."""
