"""Names that a package offers and imports only when somebody asks for one."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def lazy_exports(package: str, modules: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package (PEP 562).

    No name may be that of a submodule of the package: the import of a submodule sets its name.

    Args:
        package: its `__name__`.
        modules: the submodule that has each name, relative to the package.
    """

    def import_name(name: str) -> object:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{package}.{modules[name]}"), name)
        setattr(sys.modules[package], name, value)  # the next time it is found without this function
        return value

    return import_name
