"""Every kernel has the functions of the protocol, with the same arguments."""

import inspect

import numpy as np
import pytest

from building import KERNELS, close, random_mixture, table_of
from galileomix._kernels import KERNEL, Kernel, cpu

FUNCTIONS = {
    name: f for name, f in vars(Kernel).items() if inspect.isfunction(f) and name[0] != "_"
}


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__[-9:])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_arguments_are_those_of_the_protocol(kernel, name):
    expected = [*inspect.signature(FUNCTIONS[name]).parameters][1:]
    assert [*inspect.signature(getattr(kernel, name)).parameters] == expected


def test_the_compiled_kernel_is_the_default():
    assert KERNEL is cpu


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.__name__[-9:])
def test_distances_are_those_of_the_log_density_of_known_numbers(kernel):
    rng = np.random.default_rng(0)
    numbers = [[None if rng.random() < 0.3 else x for x in row] for row in rng.normal(size=(30, 3))]
    table = table_of([[]] * 30, (), numbers)
    mixture = random_mixture(table.layout, 4, seed=1)
    squares, log_det = kernel.distances(table.block(), mixture)
    assert (squares >= 0).all()
    joint = np.log(mixture.alpha) - 0.5 * (squares + log_det)
    close(kernel.log_joint(table.block(), mixture), joint)
