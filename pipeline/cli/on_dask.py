"""A sweep's candidates on the workers of a Dask cluster (extra `[dask]`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pipeline.errors import SpecError
from pipeline.spec.spec import Static

if TYPE_CHECKING:
    from pipeline.simulate.sweep import Row, Sweep

_SECONDS = 10  # for the cluster to answer


def on_dask(address: str, sweep: Sweep, todo: Sequence[dict[str, Static]]) -> Iterator[list[Row]]:
    """Rows of each candidate, in order. What all have in common travels once.

    Errors: SpecError C117 where there is no cluster, or none of this package on its workers.
    """
    try:
        from distributed import Client
    except ImportError:
        raise SpecError("C117", "Dask is not installed here", hint="pip install 'kernel-pipeline[dask]'") from None
    from pipeline.simulate.sweep import candidate

    try:
        client = Client(address, timeout=_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        fact = f"no Dask scheduler answers at {address!r}: {error}"
        raise SpecError("C117", fact, hint="the address is one such as tcp://10.0.0.1:8786") from None
    with client:
        shared = client.scatter(sweep, hash=False)
        futures = [client.submit(candidate, shared, settings, pure=False) for settings in todo]
        try:
            for future in futures:
                try:
                    yield future.result()
                except ImportError as error:
                    hint = "install this package, of this version, on the workers"
                    raise SpecError("C117", f"a worker has no {error.name}", hint=hint) from None
        finally:
            client.cancel(futures)
