"""Files of thousands of variables: more than one attribute of old HDF5 files can list."""

import numpy as np
import xarray as xr

from cosim.results.netcdf import NetcdfSink
from cosim.results.reader import open_results
from cosim.results.sink import Constants, Contents
from cosim.results.variables import TIME, Variable

MANY = 4500  # 64 kB hold the references of some 4000
INSTANTS = 3


def written(path, count):
    variables = [Variable(f"element/e{k}/force", (), (), "N", "Force") for k in range(count)]
    variables.append(Variable("position", ("body",), (2,), "m", "Position"))
    sink = NetcdfSink(path)
    sink.open(Contents({"body": ["a", "b"]}, variables, 10, 0, Constants()))
    values = {v.name: np.full((INSTANTS, *v.shape), float(k)) for k, v in enumerate(variables)}
    sink.append({TIME: np.arange(float(INSTANTS)), **values})
    sink.close("complete")
    return path


def test_what_was_written_is_read(tmp_path):
    results = open_results(written(tmp_path / "run.nc", MANY))
    assert results.sizes == {"time": INSTANTS, "body": 2}
    assert results["position"].dims == ("time", "body")
    for k in (0, MANY - 1):
        np.testing.assert_array_equal(results[f"element/e{k}/force"], np.full(INSTANTS, k))


def test_another_reader_finds_a_time_axis_of_known_length(tmp_path):
    """h5netcdf asks all variables of an unlimited dimension for its length, once for each."""
    with xr.open_dataset(written(tmp_path / "run.nc", 20), engine="h5netcdf") as results:
        assert results.sizes == {"time": INSTANTS, "body": 2}
        assert not results.encoding["unlimited_dims"]
        np.testing.assert_array_equal(results["element.e7.force"], np.full(INSTANTS, 7.0))
