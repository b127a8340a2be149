"""The settings of the store as its configuration."""

from pathlib import Path

from ragcrawler.config.errors import SettingError
from ragcrawler.config.reader import SettingsReader
from ragcrawler.stores import StoreConfig


def store_config(read: SettingsReader, output: Path) -> StoreConfig:
    """Which store, and how it is talked to.

    Raises:
        SettingError: a setting is invalid.
    """
    return StoreConfig(
        url=read.address("QDRANT_URL"),
        api_key=read.text("QDRANT_API_KEY"),
        folder=read.folder("QDRANT_FOLDER", output / "qdrant"),
        collection=read.text("QDRANT_COLLECTION"),
        timeout_seconds=read.integer("QDRANT_TIMEOUT_SECONDS", minimum=1),
        ca_file=_ca_file(read),
        prefer_grpc=read.flag("QDRANT_PREFER_GRPC"),
        grpc_port=read.integer("QDRANT_GRPC_PORT", minimum=1),
        on_disk=read.flag("QDRANT_ON_DISK"),
        reserve_bytes=read.integer("DISK_RESERVE_MEBIBYTES") * 2**20,
        quantization=read.choice("QDRANT_QUANTIZATION", ("none", "scalar")),  # type: ignore[arg-type]  # checked by choice
    )


def _ca_file(read: SettingsReader) -> str:
    path = read.text("QDRANT_CA_FILE")
    if path and not Path(path).is_file():
        raise SettingError("QDRANT_CA_FILE", path, "a file with the certificates of the server's authority")
    if path and read.flag("QDRANT_PREFER_GRPC"):
        expected = (
            "empty with QDRANT_PREFER_GRPC, whose library reads GRPC_DEFAULT_SSL_ROOTS_FILE_PATH from "
            "the environment instead"
        )
        raise SettingError("QDRANT_CA_FILE", path, expected)
    return path
