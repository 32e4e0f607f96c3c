"""A file that is not what was written is refused, in words that name it."""

import functools
import io
import json
import os
import pickle
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save

from galileomix import Galileo, GalileoError, ModelFileError, TableError
from galileomix._estimators.saving import to_saved
from galileomix._storage import container, document
from storage.examples import fitted


@pytest.fixture(scope="module")
def contents():
    """The bytes of a small file."""
    return bytes(container.pack(*document.to_document(to_saved(fitted("mixed").at(1)))))


def load(data, tmp_path):
    path = tmp_path / "bad.galileo"
    path.write_bytes(data)
    return Galileo.load(path)


@functools.cache
def mixed():
    return document.to_document(to_saved(fitted("mixed")))


def forged(change):
    """A file with something wrong in it and the right hash, as a liar would write it."""
    manifest, arrays = mixed()
    manifest = json.loads(json.dumps(manifest))
    arrays = {name: array.copy() for name, array in arrays.items()}
    change(manifest, arrays)
    return bytes(container.pack(manifest, arrays))


def test_every_flipped_bit_is_found(contents):
    """Through `unpack`: the file system adds nothing to it."""
    damaged = bytearray(contents)
    for position in range(len(damaged)):
        for bit in range(8):
            damaged[position] ^= 1 << bit
            with pytest.raises(ModelFileError):
                container.unpack(bytes(damaged))
            damaged[position] ^= 1 << bit
    container.unpack(bytes(damaged))


def test_every_length_is_found(contents):
    for length in range(len(contents)):
        with pytest.raises(ModelFileError):
            container.unpack(contents[:length])
    with pytest.raises(ModelFileError, match="SHA-256"):
        container.unpack(contents + b"\0")


@given(st.data())
def test_random_changes_are_found(contents, data):
    changed = bytearray(contents)
    for _ in range(data.draw(st.integers(1, 5))):
        first = data.draw(st.integers(0, len(changed)))
        last = data.draw(st.integers(first, min(len(changed), first + 40)))
        changed[first:last] = data.draw(st.binary(max_size=40))
    if changed != contents:
        with pytest.raises(ModelFileError):
            container.unpack(bytes(changed))


def zipped():
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("model", "x")
    return buffer.getvalue()


class Trap:
    def __reduce__(self):
        return (os.system, ("touch /tmp/galileo-was-here",))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the file is empty"),
        (b"\0", "not a Galileo model"),
        (b"\0" * 5000, "not a Galileo model"),
        (b"\xff" * 5000, "not a Galileo model"),
        (b"a,b\n1,2\n", "not a Galileo model"),
        (zipped(), "a zip archive"),
        (pickle.dumps(Trap()), "a pickle"),
        (save({"weight": np.ones(3)}), "a safetensors file, but not a Galileo model"),
        (save({"w": np.ones(3)}, {"format": "pt"}), "a safetensors file, but not a Galileo model"),
        ((2**63).to_bytes(8, "little") + container.PREFIX + b"0" * 64, "cut short or damaged"),
        ((2**40).to_bytes(8, "little") + b'{"a":', "not a Galileo model"),
    ],
)
def test_what_is_no_model(data, message, tmp_path):
    with pytest.raises(ModelFileError, match=message) as caught:
        load(data, tmp_path)
    assert "bad.galileo'" in str(caught.value)
    assert isinstance(caught.value, GalileoError)
    assert not isinstance(caught.value, TableError)
    assert not os.path.exists("/tmp/galileo-was-here")


def test_files_that_are_not_there_or_no_files(tmp_path):
    with pytest.raises(ModelFileError, match=r"m\.galileo': no such file"):
        Galileo.load(tmp_path / "m.galileo")
    with pytest.raises(ModelFileError, match="this is a directory"):
        Galileo.load(tmp_path)
    with pytest.raises(ModelFileError, match="not a regular file"):
        Galileo.load("/dev/zero")
    for name in ("m\0", "\ud800"):
        with pytest.raises(ModelFileError, match="no file can have this name"):
            Galileo.load(tmp_path / name)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ModelFileError, match="not a regular file"):
        Galileo.load(tmp_path / "pipe")


def test_a_file_that_is_too_large_is_not_read(path, tmp_path):
    with pytest.raises(ModelFileError, match="more than the 1000 that are allowed"):
        Galileo.load(path, max_bytes=1000)
    huge = tmp_path / "huge.galileo"  # a file of holes: a terabyte that takes no room
    with open(huge, "wb") as file:
        file.write((10**6).to_bytes(8, "little") + container.PREFIX)
        file.truncate(1 << 40)
    with pytest.raises(ModelFileError, match="that are allowed"):
        Galileo.load(huge)


def item(name, value):
    def change(manifest, arrays):
        *above, last = name.split("/")
        place = manifest
        for each in above:
            place = place[int(each) if isinstance(place, list) else each]
        place[int(last) if isinstance(place, list) else last] = value

    return change


def without(name):
    return lambda manifest, arrays: manifest.pop(name)


def array(name, place, value):
    def change(manifest, arrays):
        arrays[name][place] = value

    return change


def other_array(name, value):
    def change(manifest, arrays):
        arrays[name] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (item("format_version", 4), "of format 4, written by galileomix .* newer galileomix"),
        (item("format_version", "1"), "format version is '1'"),
        (item("format_version", True), "format version is True"),
        (without("format_version"), "format version is None"),
        (without("path"), "'path' is missing"),
        (item("schema/attributes", [{}]), "not a schema"),
        (item("n_records", "many"), "n_records is 'many', not of type float"),
        (item("n_records", -1.0), "number of records is -1.0"),
        (item("n_components", 99), "no mixture of its 99 components"),
        (item("named", 1), "named is 1"),
        (item("units/log_cell", {"$float": "nan"}), "log_cell"),
        (item("path/chosen", 99), "sizes on its path"),
        (item("path/steps/0/k", 2), "sizes on its path"),
        (item("path/steps/0/k", 10**30), "sizes on its path"),
        (item("path/steps", []), "sizes on its path"),
        (item("path/criterion", "luck"), "'luck' is unknown"),
        (item("path/steps/0/bic", {"$float": "nan"}), "no numbers"),
        (item("path/steps/0/log_likelihood", {"$float": "nan"}), "no numbers"),
        (item("path/steps/0/n_iter", -1), "negative number of steps"),
        (item("parameters/speed", 9), "does not know: speed"),
        (item("parameters/criterion", "luck"), "criterion='luck'"),
        (item("parameters/random_state", "x"), "random_state=.*: it must be an integer"),
        (item("parameters/random_state", {"$random_state": {}}), "'key' is missing"),
        (item("parameters/missing_values", "?"), "sequence of texts"),
        (item("parameters/tol", {"$eval": "1+1"}), "unknown type"),
        (item("parameters/tol", {"$tuple": [], "$float": "inf"}), "unknown type"),
        (item("parameters/missing_values", 5), "sequence of texts"),
        (item("parameters/discretize", {"width": [10**400]}), "give the edges"),
        (item("parameters/memory_limit", "9" * 400 + "TB"), "memory_limit="),
        (item("parameters", {"$tuple": []}), "not items by name"),
        (item("parameters", {"$items": [[1, 2]]}), "not items by name"),
        (item("extra", {"$items": [[1, 2]]}), "not items by name"),
        (item("extra/labels_", [1]), "does not know: labels_"),
        (item("extra/n_passes_", "many"), "not a number of passes"),
        (item("extra/n_passes_", -1), "not a number of passes"),
        (item("estimator", "Pipeline"), "this is a Pipeline, not a Galileo"),
        (item("schema/missing", "sometimes"), "missing='sometimes'"),
        (item("schema/attributes", []), "no columns"),
        (item("schema/attributes/0/kind", "picture"), "unknown kind 'picture'"),
        (item("schema/attributes/0/values/0", [1]), "is not a value"),
        (item("schema/attributes/0/values/0", {"$bytes": "00"}), "unknown type"),
        (item("schema/attributes/0/values/0", "red"), "value more than once"),
        (item("schema/attributes/0/values/0", {"$float": "inf"}), "not finite"),
        (item("schema/attributes/0/values/0", 1e300), "not finite numbers that a table can hold"),
        (item("schema/attributes/0/values", ["red"]), "shape"),
        (item("schema/attributes/0/values", [None, "red"]), "missing value is not the last"),
        (item("schema/attributes/0/values", "ab"), "is not a list"),
        (item("schema/attributes/1/scale", 0.0), "centre and scale"),
        (item("schema/attributes/1/scale", True), "is not a number"),
        (item("schema/attributes/1/scale", 1e300), "centre and scale"),
        (item("schema/attributes/1/center", "1.5"), "is not a number"),
        (item("schema/attributes/1/center", 1e300), "centre and scale"),
        (item("schema/attributes/1/center", {"$float": "nan"}), "centre and scale"),
        (item("schema/attributes/1/name", "height"), "'height' more than once"),
        (item("schema/columns/1/format/type", "text"), "its text is not read as numbers"),
        (item("schema/attributes/0/rare", [[{"$float": "inf"}, 1.0]]), "not finite"),
        (item("schema/columns/0/name", "a\0b"), "holds a NUL character"),
        (item("schema/columns/0/name", {"$text": "eda080"}), "half of a surrogate pair"),
        (item("schema/columns/0/why", "\ud800"), "half of a surrogate pair"),
        (item("schema/columns/0/format/missing", ["\ud800"]), "half of a surrogate pair"),
        (item("schema/attributes/0/values/0", "\ud800"), "half of a surrogate pair"),
        (item("schema/attributes/0/rare", [["\ud800", 1.0]]), "half of a surrogate pair"),
        (item("parameters/discretize", {"height": ["x" * 10**5]}), r"^.{100,700} \.\.\.$"),
        (array("k.2.alpha", 0, np.nan), r"k\.2\.alpha is not finite"),
        (array("k.2.alpha", 0, 0.9), "the weights do not sum up to one"),
        (array("k.2.alpha", slice(None), [-0.5, 1.5]), "the weights do not sum"),
        (array("k.2.p", 0, 0.3), "the probabilities do not sum up to one"),
        (array("k.2.mu", 0, np.inf), "not finite"),
        (array("k.2.mu", 0, 1e300), "means or variances that numbers in a table cannot have"),
        (array("k.2.Sigma", (0, 0), 1e300), "means or variances"),
        (array("k.2.Sigma", (0, 0), 1e-300), "means or variances"),
        (array("k.2.Sigma", (0, 0), -1.0), "not positive definite"),
        (array("k.2.Sigma", (0, 0), 0.0), "not positive definite"),
        (other_array("k.2.Sigma", np.ones((2, 2, 2))), "not of the form"),
        (array("background.G", 0, 7.0), "background: the probabilities"),
        (array("background.Sigma", (0, 0), 0.0), "background: .* positive definite"),
        (other_array("k.2.alpha", np.ones(3) / 3), r"k\.2\.alpha has the shape \(3,\), not \(2,\)"),
        (other_array("k.9.alpha", np.ones(9)), "unknown"),
        (other_array("extra.labels_", np.ones(9)), "does not know: labels_"),
        (other_array("extra.n_passes_", np.array([np.nan])), "n_passes_ is array"),
        (lambda manifest, arrays: arrays.pop("k.2.p"), "'k.2.p' is missing"),
    ],
)
def test_what_makes_no_sense_is_refused(change, message, tmp_path):
    with pytest.raises(ModelFileError, match=message):
        load(forged(change), tmp_path)


def resigned(header, rest=b""):
    """A file of any header, with the right hash."""
    data = bytearray(len(header).to_bytes(8, "little") + header + rest)
    data[container.HASH] = container._hash(data)
    return bytes(data)


@pytest.mark.parametrize(
    "rest",
    [
        rb'"',
        rb'\"}"}}',
        rb'\",\"format_version\":1}"}}',
        rb'\",\"format_version\":NaN}"}}',
        rb'\",\"format_version\":1}"},"a":{"dtype":"F64","shape":[9223372036854775807,9],'
        rb'"data_offsets":[0,0]}}',
        rb'\",\"format_version\":1}"},"a":{"dtype":"F64","shape":[1],"data_offsets":[0,800000]}}',
        rb'\",\"format_version\":1}"},"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}}',
        rb"\",\"format_version\":1,\"schema\":" + b"[" * 100_000 + rb'}"}}',
        rb"\",\"format_version\":" + b"9" * 10_000 + rb'}"}}',
    ],
)
def test_headers_that_lie(rest, tmp_path):
    with pytest.raises(ModelFileError):
        load(resigned(container.PREFIX + b"0" * 64 + rest), tmp_path)


@pytest.mark.parametrize(
    "data",
    [{}, {"format_version": 1}, {"format_version": 1, "arrays": 3}, {"format_version": 9}],
)
def test_dictionaries_that_are_no_models(data):
    with pytest.raises(ModelFileError):
        Galileo.from_dict(data)


def test_ragged_arrays(model):
    data = model.to_dict()
    data["arrays"]["k"]["2"]["p"][0] = [1.0]
    with pytest.raises(ModelFileError):
        Galileo.from_dict(data)
    data = model.to_dict()
    data["arrays"]["k"]["2"]["alpha"] = ["a", "b"]
    with pytest.raises(ModelFileError, match="not of numbers"):
        Galileo.from_dict(data)


@pytest.mark.parametrize(
    "trace", [7, [3], [[1]], [[1, 2]], [["a", 1.0]], [[1, None]], [[2, 1.0], [1, 0.5]], [[-1, 1.0]]]
)
def test_a_trace_of_the_search_that_is_none(trace, example):
    model, _ = example
    data = model.to_dict()
    data["extra"]["search_"]["trace"] = trace
    with pytest.raises(ModelFileError, match="trace"):
        Galileo.from_dict(data)


def test_a_file_without_a_trace_is_loaded(example):
    model, _ = example
    data = model.to_dict()
    del data["extra"]["search_"]["trace"]
    assert Galileo.from_dict(data).search_.trace == ()
