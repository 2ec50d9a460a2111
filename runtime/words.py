"""The other half of numba's door: how compiled functions see a vector of words.

An array of numba's counts its owners, and an index below zero counts from its end. The interpreter needs neither: its
caller holds the vectors while it runs, and no index is negative. So compiled functions take `Words`, an address and a
length: `w[k]`, `w[k] = a` and `len(w)`, nothing else. It is a third of the time of small functions. A word that is read
is a 64-bit number like all others, so that each function is compiled for one type only.

    as_words(array)        inside compiled code: the words of an int32 array; numbers stay what they are

`Words(checked=True)` tests every index, as the project's own tests want it.

Besides, numba learns two methods of Python's numbers, `bit_length` and `bit_count` (of what is not negative), which are
one instruction each.
"""

from __future__ import annotations

import operator
from importlib import import_module
from typing import Any

numba: Any = import_module("numba")
types: Any = numba.types
extending: Any = numba.extending
cgutils: Any = import_module("numba.core.cgutils")
templates: Any = import_module("numba.core.typing.templates")


class Words(types.Type):  # pyright: ignore[reportUntypedBaseClass]
    """An address and a length. `fixed`: nobody changes them while they are looked at, so that a word once read need not
    be read again; `checked`: indices are tested."""

    def __init__(self, fixed: bool, checked: bool) -> None:
        self.fixed, self.checked = fixed, checked
        super().__init__(name=f"Words({fixed}, {checked})")  # pyright: ignore[reportUnknownMemberType]


@extending.register_model(Words)
class _Model(extending.models.StructModel):  # pyright: ignore[reportUntypedBaseClass, reportUnusedClass]
    def __init__(self, manager: Any, kind: Any) -> None:
        parts = [("data", types.CPointer(types.int32)), ("size", types.intp)]
        super().__init__(manager, kind, parts)  # pyright: ignore[reportUnknownMemberType]


@templates.infer_global(operator.getitem)
class _Get(templates.AbstractTemplate):  # pyright: ignore[reportUntypedBaseClass, reportUnusedClass]
    def generic(self, args: Any, kws: Any) -> Any:
        if not kws and isinstance(args[0], Words) and isinstance(args[1], types.Integer):
            return templates.signature(types.int64, args[0], types.intp)
        return None


@templates.infer_global(operator.setitem)
class _Set(templates.AbstractTemplate):  # pyright: ignore[reportUntypedBaseClass, reportUnusedClass]
    def generic(self, args: Any, kws: Any) -> Any:
        if not kws and isinstance(args[0], Words) and isinstance(args[1], types.Integer):
            return templates.signature(types.none, args[0], types.intp, types.int64)
        return None


@templates.infer_global(len)
class _Len(templates.AbstractTemplate):  # pyright: ignore[reportUntypedBaseClass, reportUnusedClass]
    def generic(self, args: Any, kws: Any) -> Any:
        if not kws and isinstance(args[0], Words):
            return templates.signature(types.intp, args[0])
        return None


def _place(context: Any, builder: Any, kind: Any, value: Any, index: Any) -> Any:
    """The address of a word."""
    words = cgutils.create_struct_proxy(kind)(context, builder, value=value)
    if kind.checked:
        wrong = builder.icmp_unsigned(">=", index, words.size)
        with builder.if_then(wrong, likely=False):
            # An exception at every index would take minutes to compile; this ends the process, which is loud enough.
            kind_of_trap = cgutils.ir.FunctionType(cgutils.ir.VoidType(), ())
            builder.call(cgutils.get_or_insert_function(builder.module, kind_of_trap, "llvm.trap"), ())
            builder.unreachable()
    return builder.gep(words.data, [index], inbounds=True)


@extending.lower_builtin(operator.getitem, Words, types.intp)
def _get(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
    word = builder.load(_place(context, builder, signature.args[0], args[0], args[1]))
    if signature.args[0].fixed:
        word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return builder.sext(word, context.get_value_type(types.int64))


@extending.lower_builtin(operator.setitem, Words, types.intp, types.int64)
def _set(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
    word = builder.trunc(args[2], context.get_value_type(types.int32))
    builder.store(word, _place(context, builder, signature.args[0], args[0], args[1]))
    return context.get_dummy_value()


@extending.lower_builtin(len, Words)
def _len(context: Any, builder: Any, signature: Any, args: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
    return cgutils.create_struct_proxy(signature.args[0])(context, builder, value=args[0]).size


@extending.intrinsic
def _zeros_above(_typing: Any, word: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctlz(args[0], cgutils.false_bit)

    return types.int64(types.int64), code


@extending.intrinsic
def _bits(_typing: Any, word: Any) -> Any:
    def code(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), code


@extending.overload_method(types.Integer, "bit_length")
def _bit_length(word: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
    def length(word: Any) -> Any:
        return 64 - _zeros_above(word)

    return length


@extending.overload_method(types.Integer, "bit_count")
def _bit_count(word: Any) -> Any:  # pyright: ignore[reportUnusedFunction]
    def count(word: Any) -> Any:
        return _bits(word)

    return count


def maker(fixed: bool, checked: bool) -> Any:
    """The function that makes words of an array, in compiled code."""
    kind = Words(fixed, checked)

    @extending.intrinsic
    def words_of(_typing: Any, array: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source = context.make_array(signature.args[0])(context, builder, args[0])
            words = cgutils.create_struct_proxy(kind)(context, builder)
            words.data, words.size = source.data, source.nitems
            return words._getvalue()

        return kind(array), code

    return words_of
