"""Base classes and helpers of the commands; none of these modules is a command."""
