"""Reading what an engine answered: what is not of a corpus makes our own error."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager

import msgspec

from kg.model.errors import KgError, NotACorpus


@contextmanager
def read_answers() -> Iterator[None]:
    """A server may answer anything, so these errors are not bugs of the program."""
    try:
        yield
    except KgError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError, msgspec.MsgspecError) as error:
        reason = " ".join(str(error).split())
        raise NotACorpus(f"what was answered is not of a corpus of kg: {reason}") from None


def require_all(ids: Iterable[str], answered_ids: Collection[str]) -> None:
    """Refuse an answer that leaves out some of what was asked for."""
    if missing_ids := [id for id in ids if id not in answered_ids]:
        raise NotACorpus(
            f"what was answered lacks {len(missing_ids)} records, such as {missing_ids[0]!r}"
        )
