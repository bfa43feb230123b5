"""The declarations of the C library, and how it is found."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import appcore
from appcore import (
    AccountOptions,
    ContactFilters,
    DocumentFilters,
    ExportOptions,
    FetchOptions,
    InvoiceChoice,
    InvoiceFilters,
    PaymentFilters,
    SyncOptions,
    _library,
    _options,
)
from support import ROOT, missing

HEADER = ROOT / "Modules" / "AppCoreC" / "include" / "appcore.h"
STRUCTURES = {"appcore_error": _library.CError, "appcore_event": _library.CEvent}


def test_structures_are_those_of_the_header(tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        missing("there is no C compiler")
    expected = []
    prints = []
    for name, structure in STRUCTURES.items():
        expected.append(f"{name} {ctypes.sizeof(structure)}")
        prints.append(f'printf("{name} %zu\\n", sizeof({name}));')
        for member, *_ in structure._fields_:
            offset = getattr(structure, member).offset
            size = getattr(structure, member).size
            expected.append(f"{name}.{member} {offset} {size}")
            prints.append(
                f'printf("{name}.{member} %zu %zu\\n", offsetof({name}, {member}), '
                f"sizeof((({name} *)0)->{member}));"
            )
    source = tmp_path / "layout.c"
    source.write_text(
        f'#include "{HEADER}"\n#include <stdio.h>\nint main(void) {{ {" ".join(prints)} }}\n'
    )
    subprocess.run(["cc", source, "-o", tmp_path / "layout"], check=True)
    printed = subprocess.run([tmp_path / "layout"], check=True, capture_output=True, text=True)
    assert printed.stdout.splitlines() == expected


def test_members_and_functions_are_all_declared() -> None:
    header = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)
    for name, structure in STRUCTURES.items():
        body = re.search(rf"typedef struct {name} {{(.*?)}} {name};", header, re.DOTALL)
        assert body is not None
        members = re.findall(r"(\w+)(?:,|;)", body[1])
        assert members == [member for member, *_ in structure._fields_]
    functions = set(re.findall(r"\b(appcore_\w+)\(", header))
    assert functions == set(_library.FUNCTIONS)


def test_options_are_those_of_the_header() -> None:
    comments = re.findall(r"/\*(.*?)\*/", HEADER.read_text(), re.DOTALL)
    for kinds, mark in (
        ([SyncOptions], "options, as of `appcore sync"),
        ([AccountOptions], "options of a new account"),
        ([InvoiceFilters, PaymentFilters, ContactFilters], "A `query`"),
    ):
        comment = next(each for each in comments if mark in each)
        listed = re.findall(r"^ \*   (\w+(?:, \w+)*)  ", comment.split(mark)[1], re.MULTILINE)
        described = {name for names in listed for name in names.split(", ")}
        names = {name for kind in kinds for name in kind.__annotations__}
        # Rows are read page by page, each after the one before.
        assert described - {"after"} == {_options.member_of(name) for name in names}


def test_options_of_files_are_those_of_the_header() -> None:
    comments = re.findall(r"/\*(.*?)\*/", HEADER.read_text(), re.DOTALL)
    for kind, mark, shared in (
        (DocumentFilters, "Lists the files of invoices", {"offset", "limit"}),
        (FetchOptions, "options of the files to fetch", set()),
        (ExportOptions, "options of an export", {"invoice", "kind"}),
    ):
        comment = next(each for each in comments if mark in each)
        described = set(re.findall(r"^ \*   (\w+)  ", comment.split(mark)[1], re.MULTILINE))
        names = set(kind.__annotations__) - set(InvoiceChoice.__annotations__)
        assert described | shared == {_options.member_of(name) for name in names}


def test_numbers_are_those_of_the_header() -> None:
    numbers = dict(re.findall(r"\b(APPCORE_[A-Z_]+) = (\d+)", HEADER.read_text()))
    for name, number in numbers.items():
        event = re.fullmatch("APPCORE_EVENT_(.*)", name)
        if event is not None:
            assert getattr(_library, event[1]) == int(number)
        else:
            kind = name.removeprefix("APPCORE_")
            assert kind == "OK" or appcore.ErrorKind[kind] == int(number)


def imported(**variables: str) -> str:
    """Returns the last line that importing the package prints on standard error."""
    program = subprocess.run(
        [sys.executable, "-c", "import appcore"],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
    )
    return program.stderr if program.returncode else ""


def test_a_missing_library_is_named() -> None:
    assert "/nowhere/libappcore.so.0" in imported(APPCORE_LIBRARY="/nowhere/libappcore.so.0")


def test_another_library_is_refused() -> None:
    errors = imported(APPCORE_LIBRARY="libc.so.6")
    assert "ImportError: the library libc.so.6 has no function appcore_" in errors


def test_the_library_is_found_by_the_loader_and_beside_the_package(tmp_path: Path) -> None:
    library = os.environ["APPCORE_LIBRARY"]
    (tmp_path / "libappcore.so.0").symlink_to(library)
    assert imported(APPCORE_LIBRARY="", LD_LIBRARY_PATH=str(tmp_path)) == ""

    package = tmp_path / "packages" / "appcore"
    shutil.copytree(Path(appcore.__file__).parent, package)
    errors = imported(APPCORE_LIBRARY="", PYTHONPATH=str(package.parent))
    assert "appcore needs the library libappcore.so.0, which was not found" in errors
    assert "set APPCORE_LIBRARY to its path" in errors
    (package / "libappcore.so.0").symlink_to(library)
    assert imported(APPCORE_LIBRARY="", PYTHONPATH=str(package.parent)) == ""


def test_the_versions_agree() -> None:
    assert appcore.library_version() == appcore.__version__


def test_programs_with_threads_do_not_import_asyncio() -> None:
    code = "import appcore, sys; sys.exit(bool({'asyncio', 'difflib'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)
