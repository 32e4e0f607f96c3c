"""Objects as files hold them: the same values, types, identities and order in memory."""

import numpy as np
import pytest

from galileomix._model.em import Stop
from galileomix._model.params import Layout, Mixture
from galileomix._storage.container import pack, unpack
from galileomix._storage.object_graph import Written, read_again
from galileomix.errors import ModelFileError


def through_a_file(value, given=None):
    written = Written(value, given or {})
    manifest = {"format_version": 1, "root": written.root, "nodes": written.nodes}
    manifest, arrays = unpack(bytes(pack(manifest, written.arrays)))
    return read_again(manifest["root"], manifest["nodes"], arrays, given or {})


@pytest.mark.parametrize("value", [None, True, 3, 0.1, -np.inf, "a", [1, (2, "b")], {("a", 1): []}])
def test_plain_values_stay_what_they_are(value):
    found = through_a_file(value)
    assert found == value and type(found) is type(value)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "u1", "u8", "?"])
def test_arrays_keep_their_type_and_the_order_of_their_axes(dtype):
    array = np.arange(24).astype(dtype).reshape(2, 3, 4)
    for axes in ((0, 1, 2), (2, 0, 1), (1, 2, 0)):
        turned = array.transpose(axes)
        found = through_a_file(turned)
        assert found.dtype == turned.dtype and np.array_equal(found, turned)
        assert found.strides == turned.strides


@pytest.mark.parametrize("value", [np.float64(0.1), np.int64(3), np.bool_(True)])
def test_numbers_of_numpy_stay_numbers_of_numpy(value):
    found = through_a_file(value)
    assert found == value and type(found) is type(value)


def test_what_is_one_object_stays_one():
    stop = Stop(1e-3, 7)
    first, second, third = through_a_file([stop, stop, Stop(1e-3, 7)])
    assert first is second and first is not third and first == third == stop


def test_a_mixture_is_made_of_its_fields():
    layout = Layout((2,))
    mixture = Mixture(layout, np.array([0.5, 0.5]), np.array([[0.1, 0.9], [0.9, 0.1]]))
    mixture.cache["prepared"] = object()
    found = through_a_file(mixture)
    assert found.layout == layout and np.array_equal(found.p, mixture.p) and found.cache == {}


def test_random_numbers_go_on():
    rng = np.random.default_rng(3)
    rng.random(5)
    assert through_a_file(rng).random() == rng.random()


def test_what_is_given_is_not_written():
    given = {"records": object()}
    assert through_a_file([given["records"]], given)[0] is given["records"]


@pytest.mark.parametrize("value", [object(), len, lambda: 1, {1}])
def test_anything_else_is_refused(value):
    with pytest.raises(ModelFileError, match="cannot be kept in a checkpoint"):
        Written([value], {})


@pytest.mark.parametrize("node", [{"class": "Popen", "fields": {}}, {"call": "os.system"}])
def test_nothing_else_is_made(node):
    with pytest.raises((ModelFileError, KeyError)):
        read_again({"$object": 0}, [node], {}, {})


def test_what_is_asked_is_told_apart():
    asked = [("em", np.array([0.1]), len), ("em", np.array([0.1]), len)]
    asked += [("em", np.array([0.1 + 2e-17]), len), ("em", np.array([0.1]), max)]
    first, same, *others = (Written(one, {}, calls=True).digest() for one in asked)
    assert first == same and first not in others
