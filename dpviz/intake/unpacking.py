"""What a Parquet file unpacks to, found before it is unpacked: small files can hold huge tables."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet, types

from dpviz.core.errors import UnreadableFile
from dpviz.intake.kinds import plain

MAX_DECODED = 1_000_000_000  # bytes of all columns; three such tables must fit beside each other
MAX_TEXT = 400_000_000  # bytes of texts, which take several times their size while they are read
_WIDTHS = {"BOOLEAN": 1, "INT32": 4, "INT64": 8, "INT96": 8, "FLOAT": 4, "DOUBLE": 8}
_INDEX = 4  # bytes of a text's place in its dictionary
_BATCH = 256  # rows of texts that share their beginnings, each of which may be as long as a page


@dataclass(frozen=True, slots=True)
class Leaf:
    """A column that is not nested: its places among columns and leaves, and bytes a row."""

    column: int  # Arrow does not check it, and ends the process when there is no such column
    place: int
    width: int
    text: bool


def flat_leaves(schema: pa.Schema, stored: parquet.ParquetSchema) -> list[Leaf | None]:
    """The leaf of each column, None for a nested one.

    Raises: ValueError if the file's two schemas do not agree.
    """
    found: list[Leaf | None] = []
    place = 0
    for column, field in enumerate(schema):
        flat = not _is_nested(field.type)
        found.append(_leaf(column, place, stored.column(place)) if flat else None)
        place += _count(field.type)
    if place != len(stored):
        raise ValueError("the stored schema has other leaves than the columns")
    return found


def _leaf(column: int, place: int, stored: parquet.ColumnSchema) -> Leaf:
    text = stored.physical_type == "BYTE_ARRAY"
    fixed = stored.length if stored.physical_type == "FIXED_LEN_BYTE_ARRAY" else _INDEX
    return Leaf(column, place, _WIDTHS.get(stored.physical_type, fixed), text)


def _storage(kind: pa.DataType) -> pa.DataType:
    return _storage(kind.storage_type) if isinstance(kind, pa.BaseExtensionType) else kind


def _is_nested(kind: pa.DataType) -> bool:
    return bool(types.is_nested(_storage(kind)))


def _count(kind: pa.DataType) -> int:
    """How many leaves a type has."""
    kind = _storage(kind)
    if not types.is_nested(kind):
        return 1
    return sum(_count(kind.field(position).type) for position in range(kind.num_fields))


def check_unpacked(footer: parquet.FileMetaData, leaves: list[Leaf], name: str) -> None:
    """Refuse a table that takes more than 1 GB, by what the footer says.

    Nothing is asked of single column chunks: Arrow ends the whole process when theirs is damaged.
    """
    said = sum(footer.row_group(k).total_byte_size for k in range(footer.num_row_groups))
    decoded = max(said, footer.num_rows * sum(leaf.width for leaf in leaves))
    if decoded > MAX_DECODED:
        raise UnreadableFile(
            f"'{name}' unpacks to {decoded / 1e9:,.1f} GB; at most {MAX_DECODED / 1e9:,.1f} GB can "
            "be read. Keep only the columns that you need."
        )


@dataclass(slots=True)
class Unpacker:
    """Reads flat columns one by one and keeps account of their texts."""

    plain: parquet.ParquetFile
    dictionaries: parquet.ParquetFile  # the same file, opened so that texts come as dictionaries
    name: str
    texts: int = 0

    @classmethod
    def open(
        cls, buffer: pa.Buffer, file: parquet.ParquetFile, texts: list[int], name: str
    ) -> "Unpacker":
        """For a file that is open already; texts are the places of its columns of texts."""
        again = parquet.ParquetFile(
            pa.BufferReader(buffer), metadata=file.metadata, read_dictionary=texts
        )
        return cls(file, again, name)

    def column(self, leaf: Leaf) -> pa.ChunkedArray | None:
        """One column as a plain one, None when it holds raw bytes.

        Raises: UnreadableFile as soon as the texts take more than 400 MB.
        """
        if not leaf.text:
            return plain(self.plain.reader.read_column(leaf.column))
        try:
            texts = self.dictionaries.reader.read_column(leaf.column)
        except (pa.ArrowException, OSError):
            # texts stored as what they add to the text before: no dictionary, and any size
            self._measure(leaf)
            return plain(self.plain.reader.read_column(leaf.column))
        self._account(texts.chunks)
        return plain(texts)

    def _measure(self, leaf: Leaf) -> None:
        reader = self.plain.reader
        groups = list(range(reader.num_row_groups))
        for batch in reader.iter_batches(_BATCH, groups, [leaf.place], use_threads=False):
            self._account([batch.column(0)])

    def _account(self, chunks: list[pa.Array]) -> None:
        self.texts += sum(map(_text_bytes, chunks))
        if self.texts > MAX_TEXT:
            raise UnreadableFile(
                f"'{self.name}' unpacks to more than {MAX_TEXT / 1e9:,.1f} GB of text, which is "
                "the most that can be read. Keep only the columns that you need."
            )


def _text_bytes(chunk: pa.Array) -> int:
    """Bytes of all texts; those of a dictionary counted as often as they are meant."""
    if isinstance(chunk, pa.ExtensionArray):
        return _text_bytes(chunk.storage)
    if not types.is_dictionary(chunk.type):
        return int(pc.sum(pc.binary_length(chunk)).as_py() or 0)
    meant = np.asarray(chunk.indices.drop_null())
    lengths = np.asarray(pc.binary_length(chunk.dictionary).fill_null(0), dtype=np.int64)
    # an index of a damaged file may lie outside: bincount and the product raise ValueError then
    return int(np.bincount(meant, minlength=lengths.size) @ lengths)
