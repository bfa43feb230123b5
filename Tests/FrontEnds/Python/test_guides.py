"""The programs of the guides, run as they stand there."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support import HAS_TABLES, INVOICES, PROGRAMS, ROOT, Home

FOLDER = Path(__file__).parent
GUIDES = ROOT / "Modules" / "AppCore" / "AppCore.docc"


@pytest.mark.parametrize("guide", ["UseItFromPython.md", "TerminalWindow.md"])
def test_every_program_of_a_guide_is_one_of_these_files(guide: str) -> None:
    programs = [
        path.read_text() for path in [*FOLDER.glob("examples/*.py"), FOLDER / "terminal.py"]
    ]
    blocks = re.findall(r"^```python\n(.*?)^```$", (GUIDES / guide).read_text(), re.S | re.M)
    assert blocks
    for block in blocks:
        assert block in programs, block


@pytest.mark.parametrize(
    ("guide", "language", "pattern"), [("Qt", "cpp", "Qt/*.h"), ("Rust", "rust", "Rust/*.rs")]
)
def test_every_piece_of_a_guide_is_compiled(guide: str, language: str, pattern: str) -> None:
    files = [path.read_text() for path in (ROOT / "Tests" / "FrontEnds").glob(pattern)]
    text = (GUIDES / f"UseItFrom{guide}.md").read_text()
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", text, re.S | re.M)
    assert len(blocks) > 1
    for block in blocks:
        assert any(block in file for file in files), block


def run(home: Home, example: str, *arguments: str) -> str:
    # The user's browser approves immediately.
    browser = f"{PROGRAMS / 'appcore-sandbox'} approve %s"
    return subprocess.run(
        [sys.executable, FOLDER / "examples" / example, *arguments],
        env={**home.environment, "BROWSER": browser},
        cwd=home.folder,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout


def test_the_first_programs_sign_in_sync_and_list(home: Home) -> None:
    assert run(home, "sign_in.py").endswith("Signed in as default\n")
    assert run(home, "organisations.py").endswith(" Sandbox Company\n")
    assert f"{INVOICES} new, 0 changed" in run(home, "sync.py")
    overdue = run(home, "overdue.py").splitlines()
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \S+ .+ \d+(\.\d+)? [A-Z]{3}", overdue[0])
    if HAS_TABLES:
        # The guide shows it.
        assert overdue[0] == "2020-11-30 INV-0074 - 2250 GBP"


def test_the_program_with_a_feature_module_downloads(synced: Home) -> None:
    printed = run(synced, "documents.py").splitlines()
    file = synced.folder / "invoice.json"
    assert printed[-1] == f"{file} {file.stat().st_size}"


def test_the_program_that_fetches_a_pdf_prints_its_path(synced: Home) -> None:
    with synced.open() as core:
        invoice = next(iter(core.invoices(type="invoice", issued=True)))
    printed = run(synced, "files.py", invoice.id).splitlines()
    assert Path(printed[-1]).read_bytes().startswith(b"%PDF-")


@pytest.mark.usefixtures("keyring")
def test_the_program_that_sets_up_writes_a_configuration(home: Home) -> None:
    home.config.unlink()
    printed = run(home, "setup.py")
    assert "xero browser https://" in printed
    assert printed.endswith("Stripe takes your API key\n")


def test_a_sync_without_a_login_says_what_to_do(home: Home) -> None:
    program = subprocess.run(
        [sys.executable, FOLDER / "examples" / "sync.py"],
        env=dict(home.environment),
        stderr=subprocess.PIPE,
        text=True,
    )
    assert program.returncode == 1
    assert "Sign in with: appcore login" in program.stderr


def test_the_program_with_asyncio_follows(synced: Home) -> None:
    assert "0 new" in run(synced, "follow.py")


def test_the_program_with_pandas_sums_by_month(synced: Home) -> None:
    months = run(synced, "months.py")
    total = r"1157\.65" if HAS_TABLES else r"\d+(\.\d+)?"
    assert re.search(rf"^(USD)? +2021-03 +{total}$", months, re.M)
