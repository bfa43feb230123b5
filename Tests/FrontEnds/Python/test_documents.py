"""Documents of later versions of the library."""

from dataclasses import dataclass
from decimal import Decimal

from appcore import Invoice, InvoiceStatus, Progress, ProgressEvent
from appcore._documents import decode


@dataclass(frozen=True)
class Sample:
    status: InvoiceStatus | str
    amount: Decimal | None


def test_unknown_members_are_ignored_and_absent_ones_are_none() -> None:
    assert decode(Sample, {"status": "open", "colour": "red"}) == Sample(InvoiceStatus.OPEN, None)


def test_unknown_words_stay_texts() -> None:
    found = decode(Sample, {"status": "pending-approval", "amount": None})
    assert found.status == "pending-approval"
    assert not isinstance(found.status, InvoiceStatus)


def test_amounts_keep_all_their_digits() -> None:
    digits = "12345678901234567890123456789012345678.000100"
    assert str(decode(Sample, {"status": "open", "amount": digits}).amount) == digits


def test_members_with_initials_are_found() -> None:
    progress = decode(Progress, {"event": "waiting-for-process", "processID": 7})
    assert (progress.event, progress.process_id) == (ProgressEvent.WAITING_FOR_PROCESS, 7)


def test_records_are_compared_by_value_and_cannot_be_changed() -> None:
    invoice = decode(Invoice, {"id": "1", "total": "5.50"})
    assert invoice == decode(Invoice, {"id": "1", "total": "5.50"})
    assert hash(invoice) == hash(decode(Invoice, {"id": "1", "total": "5.50"}))
    try:
        invoice.total = Decimal(0)  # type: ignore[misc]
    except AttributeError:
        return
    raise AssertionError("a record was changed")
