"""The ways in which a service refuses a request."""


class ServiceError(Exception):
    """A request that is not answered; the message says why, and what would be right."""


class InvalidRequestError(ServiceError):
    """A value of the request is invalid."""


class NotFoundError(ServiceError):
    """There is no such document, chunk or run."""


class UnavailableError(ServiceError):
    """A part that the answer needs is not there at the moment."""
