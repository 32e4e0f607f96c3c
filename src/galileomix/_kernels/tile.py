# pyright: basic
# What numba compiles is typed by the arrays it is called with; strict checking has nothing to say.
"""Eight numbers at a time: a vector register as a value that numba code can name.

The compiler turns a loop over components into vector instructions only where it can prove that
arrays do not overlap, and checks that anew for every record. A tile states it: `load` eight
numbers, compute, `store` them. A running sum stays in a register over all attributes of a record,
and the order of every sum is the one written here, on any processor.

Tiles hold doubles or singles, by the array they come from. An array of tiles is flat and its
rows are padded to a multiple of `LANES`.
"""

from __future__ import annotations

import math

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from galileomix._kernels.compiler import compiler

LANES = 8
LINE = 64
"""Bytes in a line of the cache: a tile that begins on one needs one access, not two."""


def padded(k):
    """Return the least multiple of `LANES` that is no less than k."""
    return -(-k // LANES) * LANES


@compiler()
def aligned(size, dtype):
    """Return zeros that begin on a line of the cache."""
    room = np.zeros(size + LINE // 4, dtype)
    first = -room.ctypes.data % LINE // room.itemsize
    return room[first : first + size]


class Tile(types.Type):
    """The type of eight numbers."""

    def __init__(self, dtype):
        self.dtype = dtype
        super().__init__(name=f"Tile({dtype})")


@register_model(Tile)
class _Register(models.PrimitiveModel):
    def __init__(self, manager, tile):
        super().__init__(manager, tile, _vector(tile.dtype))


def _vector(dtype, lanes=LANES):
    return ir.VectorType(ir.FloatType() if dtype == types.float32 else ir.DoubleType(), lanes)


def _filled(vector, value):
    return ir.Constant(vector, [value] * vector.count)


def _place(context, builder, signature, args):
    """Return the address of element ``args[1]`` of the flat array ``args[0]``, as a tile's."""
    array, at = signature.args[:2]
    data = context.make_array(array)(context, builder, args[0]).data
    element = builder.gep(data, [context.cast(builder, args[1], at, types.intp)])
    return builder.bitcast(element, _vector(array.dtype).as_pointer())


@intrinsic
def load(typing, array, at):
    """Return the tile that begins at an element of a flat array."""

    def generate(context, builder, signature, args):
        place = _place(context, builder, signature, args)
        return builder.load(place, align=array.dtype.bitwidth // 8)

    return Tile(array.dtype)(array, at), generate


@intrinsic
def store(typing, array, at, tile):
    """Write a tile to where it begins in a flat array."""

    def generate(context, builder, signature, args):
        place = _place(context, builder, signature, args)
        builder.store(args[2], place, align=array.dtype.bitwidth // 8)
        return context.get_dummy_value()

    return types.none(array, at, tile), generate


@intrinsic
def spread(typing, number):
    """Return a tile of one number eight times."""

    def generate(context, builder, signature, args):
        vector = _vector(number)
        nothing, first = ir.Constant(vector, ir.Undefined), ir.Constant(ir.IntType(32), 0)
        every = _filled(ir.VectorType(ir.IntType(32), LANES), 0)
        return builder.shuffle_vector(
            builder.insert_element(nothing, args[0], first), nothing, every
        )

    return Tile(number)(number), generate


def _combining(combine):
    """Make what turns two tiles into one."""

    @intrinsic
    def operation(typing, left, right):
        def generate(context, builder, signature, args):
            return combine(builder, *args)

        return left(left, right), generate

    return operation


def _greater(builder, left, right):
    return builder.select(builder.fcmp_ordered(">", left, right), left, right)


add = _combining(ir.IRBuilder.fadd)
subtract = _combining(ir.IRBuilder.fsub)
multiply = _combining(ir.IRBuilder.fmul)
divide = _combining(ir.IRBuilder.fdiv)
maximum = _combining(_greater)


@intrinsic
def where_greater(typing, left, right, here, elsewhere):
    """Return, lane by lane, ``here`` where left is greater than right, and else ``elsewhere``."""

    def generate(context, builder, signature, args):
        left, right, here, elsewhere = args
        return builder.select(builder.fcmp_ordered(">", left, right), here, elsewhere)

    return here(left, right, here, elsewhere), generate


def _folding(combine):
    """Make what turns a tile into one number: fours, then twos, then one."""

    @intrinsic
    def operation(typing, tile):
        def generate(context, builder, signature, args):
            (vector,) = args
            for half in (4, 2, 1):
                index = ir.VectorType(ir.IntType(32), half)
                low = ir.Constant(index, list(range(half)))
                high = ir.Constant(index, list(range(half, 2 * half)))
                nothing = ir.Constant(vector.type, ir.Undefined)
                vector = combine(
                    builder,
                    builder.shuffle_vector(vector, nothing, low),
                    builder.shuffle_vector(vector, nothing, high),
                )
            return builder.extract_element(vector, ir.Constant(ir.IntType(32), 0))

        return tile.dtype(tile), generate

    return operation


total = _folding(ir.IRBuilder.fadd)
top = _folding(_greater)


class _Arithmetic:
    """Constants and multiply-adds on tiles of one precision.

    A fused multiply-add is the only liberty that is taken: it rounds once where two would.
    """

    def __init__(self, builder, dtype):
        self.builder = builder
        self.vector = _vector(dtype)
        signature = ir.FunctionType(self.vector, [self.vector] * 3)
        name = f"llvm.fmuladd.v{LANES}f{dtype.bitwidth}"
        self.fused = cgutils.get_or_insert_function(builder.module, signature, name)

    def constant(self, value):
        return _filled(self.vector, value)

    def multiply_add(self, left, right, rest):
        return self.builder.call(self.fused, [left, right, rest])

    def polynomial(self, x, coefficients):
        """Return the polynomial in x, the highest coefficient first."""
        result = self.constant(coefficients[0])
        for coefficient in coefficients[1:]:
            result = self.multiply_add(result, x, self.constant(coefficient))
        return result


@intrinsic
def without(typing, tile, left, right):
    """Return a tile less the product of two, rounded once."""

    def generate(context, builder, signature, args):
        tile_value, left_value, right_value = args
        a = _Arithmetic(builder, tile.dtype)
        return a.multiply_add(builder.fneg(left_value), right_value, tile_value)

    return tile(tile, left, right), generate


NEGLIGIBLE = {types.float64: -708.0, types.float32: -87.0}
"""The least exponential that keeps all its digits; less becomes zero. Smaller shares than one
part in 2**53 add nothing to a count, but where no other component takes a record after a pruning
they say which one does."""
FRACTION_BITS = {types.float64: 52, types.float32: 23}
LN2 = {
    types.float64: (6.93147180369123816490e-01, 1.90821492927058770002e-10),
    types.float32: (0.693359375, -2.12194440e-4),
}
"""log 2 in two parts, the first of few enough digits that multiples of it are exact."""
TERMS = {types.float64: 12, types.float32: 7}
"""Terms of the series of exp that reach the last digit for arguments below 0.35."""


@intrinsic
def exp(typing, tile):
    """Return the exponentials of eight numbers, none of them above zero.

    exp(x) = 2**w exp(r) with w whole and abs(r) < 0.35. Adding 1.5 * 2**52 leaves the nearest
    whole number in the lowest bits, from where it is shifted into the exponent.
    """
    dtype = tile.dtype

    def generate(context, builder, signature, args):
        a = _Arithmetic(builder, dtype)
        least, rounding = a.constant(NEGLIGIBLE[dtype]), a.constant(1.5 * 2 ** FRACTION_BITS[dtype])
        x = _greater(builder, args[0], least)
        shifted = a.multiply_add(x, a.constant(math.log2(math.e)), rounding)
        whole = builder.fsub(shifted, rounding)
        high, low = (a.constant(-part) for part in LN2[dtype])
        r = a.multiply_add(whole, low, a.multiply_add(whole, high, x))
        series = a.polynomial(r, [1 / math.factorial(n) for n in range(TERMS[dtype], -1, -1)])
        bits = ir.VectorType(ir.IntType(dtype.bitwidth), LANES)
        up = _filled(bits, FRACTION_BITS[dtype])
        power = builder.shl(builder.bitcast(shifted, bits), up)
        value = builder.bitcast(builder.add(builder.bitcast(series, bits), power), a.vector)
        held = builder.fcmp_ordered(">", args[0], least)
        return builder.select(held, value, a.constant(0.0))

    return tile(tile), generate


ATANH_TERMS = 17
"""Terms of the series of atanh that reach the last digit of a double for arguments up to 1/3."""


@intrinsic
def log1p(typing, tile):
    """Return log(1 + x) of eight numbers between zero and one: 2 atanh(x / (2 + x))."""

    def generate(context, builder, signature, args):
        a = _Arithmetic(builder, tile.dtype)
        s = builder.fdiv(args[0], builder.fadd(args[0], a.constant(2.0)))
        series = a.polynomial(
            builder.fmul(s, s), [2 / (2 * n + 1) for n in range(ATANH_TERMS - 1, -1, -1)]
        )
        return builder.fmul(s, series)

    return tile(tile), generate
