"""Where a model comes from."""

from dataclasses import dataclass
from typing import Literal

Source = Literal["hub", "package", "folder", "service", "program"]


@dataclass(frozen=True, slots=True)
class ModelPlace:
    """Where a model comes from, and whether it is here.

    Attributes:
        source: a model hub, an installed package, a folder of the user's, a service, or this program itself.
        place: the address of the hub's repository or of the service, the package, or the folder.
        is_here: nothing has to be fetched before it is used for the first time.
    """

    source: Source
    place: str
    is_here: bool = True
