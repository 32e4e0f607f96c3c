"""What tests of several rooms share."""

import pytest


@pytest.fixture(scope="session")
def client():
    """A client of a Dask cluster on this machine: two workers, each a process of its own."""
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    dask = pytest.importorskip("dask", reason="dask is not installed")
    workers = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": 0}
    with (
        dask.config.set({"distributed.comm.timeouts.connect": "10s"}),  # to killed workers
        distributed.LocalCluster(**workers, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster, set_as_default=False) as found,
    ):
        yield found
