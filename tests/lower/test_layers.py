"""The modules of the compiler import only those below them, and all that register something are listed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from ludoloom.compiler.backend import verbs
from ludoloom.compiler.backend.statements import CLAUSES, CORE
from ludoloom.compiler.backend.values import ONE_WORD, SETS

COMPILER = Path(__file__).parent.parent.parent / "compiler"
MODULES = sorted(file for folder in ("analysis", "backend") for file in (COMPILER / folder).glob("*.py"))
REGISTERS = ("core", "one_word", "set_of", "of_the_game")


@pytest.mark.parametrize("file", MODULES, ids=[f"{file.parent.name}/{file.stem}" for file in MODULES])
def test_nothing_is_imported_inside_a_function(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    top = {node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)}
    inner = [
        node.lineno for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) and node not in top
    ]
    assert inner == []


def registers(file: Path) -> bool:
    """Whether a function of the module is put into a table."""
    names = {
        part.id
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        for part in ast.walk(decorator)
        if isinstance(part, ast.Name)
    }
    return not names.isdisjoint(REGISTERS)


def test_each_module_that_registers_is_listed() -> None:
    listed = {module.__name__.rpartition(".")[2] for module in (*verbs.VALUES, *verbs.VERBS)}
    assert listed == {file.stem for file in MODULES if registers(file)}


def test_the_tables_are_full() -> None:
    assert {"if", "for_each", "roll", "place", "lose"} <= set(CORE) == set(CLAUSES)
    assert {"const", "column", "distance", "any", "face_column", "assigned_at"} <= set(ONE_WORD)
    assert {"where", "column", "links", "nearest", "assigned_targets"} <= set(SETS)


def test_the_docstring_of_typed_expressions_names_all_of_them() -> None:
    table = ast.get_docstring(ast.parse((COMPILER / "analysis" / "typed.py").read_text(encoding="utf-8")))
    assert table is not None
    assert (set(ONE_WORD) | set(SETS)) - set(re.findall(r"\w+", table)) == set()
