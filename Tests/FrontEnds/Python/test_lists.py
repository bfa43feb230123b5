"""Invoices, contacts and sums, compared with what the program appcore prints."""

import asyncio
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import appcore
import pytest
from appcore._options import ContactSort, InvoiceSort, PaymentSort, member
from support import CONTACT, DIGITS, INVOICES, Home


def test_every_property_has_the_value_of_the_document(core: appcore.Core, shared: Home) -> None:
    printed = json.loads(shared.appcore("invoices", "list", "--all", "--json"))["invoices"]
    listed = list(core.invoices(all=True))
    assert len(listed) == len(printed) == INVOICES
    for invoice, document in zip(listed, printed, strict=True):
        assert invoice.id == document["id"]
        assert invoice.number == document["number"]
        assert str(invoice.total) == document["total"] and isinstance(invoice.total, Decimal)
        assert (invoice.due_date and invoice.due_date.isoformat()) == document["dueDate"]
        assert isinstance(invoice.status, appcore.InvoiceStatus)
        assert isinstance(invoice.type, appcore.InvoiceType)
        assert invoice.contact.id == document["contact"]["id"]
        assert invoice.lines_include_tax is document["linesIncludeTax"]
        assert invoice.updated_at == datetime.fromisoformat(document["updatedAt"])
        assert invoice.updated_at is not None and invoice.updated_at.tzinfo == UTC


def test_rows_are_true_if_there_are_any(core: appcore.Core) -> None:
    assert core.invoices()
    assert core.invoices(limit=1)
    assert not core.invoices(limit=0)
    assert not core.invoices(offset=10**6)
    assert not core.invoices(search="no invoice has these words")


def test_one_invoice_has_its_lines(core: appcore.Core, shared: Home) -> None:
    id = next(iter(core.invoices())).id
    document = json.loads(shared.appcore("invoices", "show", id, "--json"))["invoice"]
    invoice = core.invoice(id)
    assert [str(line.line_amount) for line in invoice.lines] == [
        line["lineAmount"] for line in document["lines"]
    ]
    assert [str(tax.tax_amount) for tax in invoice.tax_breakdown] == [
        tax["taxAmount"] for tax in document["taxBreakdown"]
    ]


@pytest.mark.parametrize(
    ("filters", "options"),
    [
        ({"status": "open"}, ["--status", "open"]),
        (
            {"status": [appcore.InvoiceStatus.OPEN, appcore.InvoiceStatus.PAID]},
            ["--status", "open,paid"],
        ),
        ({"overdue": True}, ["--overdue"]),
        ({"issued": True}, ["--issued"]),
        ({"type": "bill", "currency": {"CAD"}}, ["--type", "bill", "--currency", "CAD"]),
        ({"min": Decimal("1E+3")}, ["--min", "1000"]),
        ({"min": 0, "max": "99.95"}, ["--min", "0", "--max", "99.95"]),
        ({"issued_from": date(2021, 1, 1), "issued_to": "2021-02"},
         ["--from", "2021-01-01", "--to", "2021-02"]),
        ({"search": DIGITS}, ["--search", DIGITS]),
        ({"contact": CONTACT}, ["--contact", CONTACT]),
        ({"account": appcore.ALL_ACCOUNTS}, []),
    ],
)  # fmt: skip
def test_filters_are_those_of_the_program(
    core: appcore.Core,
    shared: Home,
    filters: appcore.InvoiceFilters,
    options: list[str],
) -> None:
    printed = json.loads(shared.appcore("invoices", "list", "--json", *options))["invoices"]
    assert [invoice.id for invoice in core.invoices(**filters)] == [
        document["id"] for document in printed
    ]
    assert core.invoices(**filters).count() == len(printed) > 0


def test_lists_have_an_order_an_offset_and_a_limit(core: appcore.Core) -> None:
    invoices = list(core.invoices(sort="total", all=True))
    totals = [(invoice.currency, invoice.total) for invoice in invoices]
    assert totals == sorted(totals)
    assert list(core.invoices(sort="total", all=True, offset=7, limit=50)) == invoices[7:57]
    assert list(core.invoices(sort="total", all=True, offset=590)) == invoices[590:]
    assert list(core.invoices(limit=0)) == []
    rows = core.invoices(sort="total", all=True, offset=1, limit=50)
    assert [len(page) for page in rows.pages(size=20)] == [20, 20, 10]
    assert [len(page) for page in core.invoices(all=True).pages()] == [100, 200, INVOICES - 300]
    with pytest.raises(ValueError, match="size must be between 1"):
        rows.pages(size=0)


def test_pages_of_any_order_are_the_list(core: appcore.Core) -> None:
    orders: list[InvoiceSort] = [
        "issueDate", "-dueDate", "updatedAt", "-total", "amountDue", "-number", "contact",
        "-stored",
    ]  # fmt: skip
    for sort in orders:
        rows = core.invoices(sort=sort, all=True)
        ids = [invoice.id for page in rows.pages(size=70) for invoice in page]
        assert ids == [invoice.id for invoice in core.invoices(sort=sort, all=True, limit=1_000)]
        assert len(set(ids)) == INVOICES
    payment_orders: list[PaymentSort] = ["-date", "amount", "contact"]
    for order in payment_orders:
        payments = core.payments(sort=order)
        paid = [payment.id for page in payments.pages(size=70) for payment in page]
        assert paid == [payment.id for payment in core.payments(sort=order, limit=1_500)]
        assert len(set(paid)) == payments.count()
    contact_orders: list[ContactSort] = ["name", "-updatedAt", "-receivable"]
    for by in contact_orders:
        contacts = core.contacts(sort=by)
        named = [contact.id for page in contacts.pages(size=7) for contact in page]
        assert named == [contact.id for contact in core.contacts(sort=by, limit=1_500)]
        assert len(set(named)) == contacts.count()


def test_another_thread_ends_a_reading(core: appcore.Core) -> None:
    rows = core.invoices(all=True)
    has_begun = threading.Event()

    def read() -> str:
        try:
            while True:
                list(rows)
                has_begun.set()
        except appcore.Cancelled as error:
            return error.code

    with ThreadPoolExecutor() as pool:
        reading = pool.submit(read)
        has_begun.wait()
        rows.cancel()
        assert reading.result() == "interrupted"
    assert len(list(core.invoices(all=True))) == INVOICES


async def read_and_cancel(home: Home) -> None:
    async with home.open() as core:
        rows = core.invoices(all=True)
        has_begun = asyncio.Event()

        async def read() -> None:
            while True:
                await rows
                has_begun.set()

        task = asyncio.create_task(read())
        await has_begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert len(await rows) == INVOICES


def test_a_cancelled_task_ends_its_reading(shared: Home) -> None:
    asyncio.run(read_and_cancel(shared))


def test_contacts_have_balances(core: appcore.Core, shared: Home) -> None:
    printed = json.loads(shared.appcore("contacts", "list", "--json"))["contacts"]
    contacts = list(core.contacts())
    assert [contact.id for contact in contacts] == [document["id"] for document in printed]
    assert core.contacts().count() == len(contacts)
    owing = [contact for contact in contacts if contact.balances]
    assert owing and all(
        isinstance(balance.payable, Decimal) for contact in owing for balance in contact.balances
    )
    assert core.contact(owing[0].id) == owing[0]


def test_payments_say_what_they_pay(core: appcore.Core, shared: Home) -> None:
    printed = json.loads(shared.appcore("payments", "list", "--limit", "0", "--json"))["payments"]
    payments = list(core.payments())
    assert payments and [payment.id for payment in payments] == [row["id"] for row in printed]
    assert core.payments().count() == len(payments)
    paying = next(payment for payment in payments if payment.allocations)
    assert core.payment(paying.id) == paying
    invoice = core.invoice(paying.allocations[0].invoice_id)
    assert invoice.balance.unexplained == 0
    assert paying.id in [entry.id for entry in invoice.balance.entries]
    assert paying in list(core.payments(invoice=invoice.id, sort="amount"))
    day = paying.date
    assert day and all(each.date == day for each in core.payments(paid_from=day, paid_to=day))
    assert core.payments(type=[appcore.PaymentType.RECEIPT, "payment"], status="completed").count()
    with pytest.raises(appcore.NotFound):
        core.payment("no such payment")


def test_what_waits_for_a_payment_and_what_has_changed_is_found(core: appcore.Core) -> None:
    unpaid = list(core.invoices(unpaid=True, sort="-amountDue"))
    assert unpaid and {invoice.status for invoice in unpaid} <= {"open", "partially-paid"}
    due = [invoice.amount_due or 0 for invoice in unpaid if invoice.currency == unpaid[0].currency]
    assert due == sorted(due, reverse=True)
    changed = core.invoices(changed_since="yesterday").count()
    assert changed == core.invoices(all=True).count() > 0
    assert core.invoices(changed_since=datetime.now(UTC) + timedelta(days=1)).count() == 0
    for contact in core.contacts(owing=True, sort="-receivable"):
        assert any(balance.receivable > 0 for balance in contact.balances)


def test_sums_are_those_of_the_program(core: appcore.Core, shared: Home) -> None:
    months = json.loads(shared.appcore("invoices", "summary", "--json"))["months"]
    assert [
        (total.month, total.currency, str(total.total), total.count) for total in core.summary()
    ] == [(row["month"], row["currency"], row["total"], row["count"]) for row in months]
    assert core.summary(None) == core.summary()  # type: ignore[arg-type]
    for by in ("quarter", "year", "contact", "status"):
        groups = json.loads(shared.appcore("invoices", "summary", "--by", by, "--json"))["groups"]
        totals = core.summary(by)
        assert [str(total.amount_due) for total in totals] == [row["amountDue"] for row in groups]
        assert all(getattr(total, by) is not None for total in totals)
    rows = json.loads(shared.appcore("invoices", "summary", "--by", "tax-rate", "--json"))["taxes"]
    assert [(total.name, str(total.tax)) for total in core.taxes()] == [
        (row["name"], row["tax"]) for row in rows
    ]
    with pytest.raises(ValueError, match="taxes"):
        core.summary("tax-rate")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="taxes_in"):
        core.summary_in("EUR", "tax-rate")  # type: ignore[arg-type]
    words = ("invoices", "summary", "--by", "year", "--in", "USD", "--json")
    printed = json.loads(shared.appcore(*words))
    converted = core.summary_in("USD", "year")
    assert converted.converted_to == "USD" and {total.currency for total in converted.totals} == {
        "USD"
    }
    assert [str(total.total) for total in converted.totals] == [
        row["total"] for row in printed["groups"]
    ]
    left = core.summary_in("CHF").without_rate
    assert sum(part.count for part in left) == sum(total.count for total in core.summary())
    assert {total.currency for total in core.taxes_in("USD").taxes} == {"USD"}
    ageing = core.ageing(type="bill")
    assert ageing.ageing and all(totals.type == "bill" for totals in ageing.ageing)
    assert sum(bucket.count for bucket in ageing.ageing[0].buckets) == ageing.ageing[0].count
    owing = core.ageing(by="contact").ageing
    assert owing and all(party.contact and party.type is None for party in owing)
    assert {party.side for party in owing} <= {"receivable", "payable"}


def test_the_status_names_places_and_runs(core: appcore.Core, shared: Home) -> None:
    status = core.status()
    assert hash(status)
    assert status.database == f"{shared.folder}/data/appcore/appcore.sqlite"
    assert status.configuration == str(shared.config)
    account = status.accounts[0]
    assert account.invoices == INVOICES
    assert account.last_sync is not None and account.last_sync.inserted == INVOICES
    assert {"invoices", "credit-notes", "payments", "contacts"} <= set(account.last_syncs)
    assert account.expires_at is not None and account.expires_at > datetime.now(UTC)


def test_lists_are_empty_before_the_first_sync(home: Home) -> None:
    with home.open() as core:
        assert list(core.invoices()) == [] and core.invoices().count() == 0
        assert core.summary() == [] and core.ageing().ageing == ()
        assert not core.status().database_exists


# Members for people who look after the program, which no front end shows.
INTERNAL = {"generation", "clockSkewSeconds", "lastOutcome", "lockHolder"}


def test_no_member_of_a_document_is_left_out(core: appcore.Core, shared: Home) -> None:
    def document(*arguments: str) -> dict[str, list[dict[str, object]]]:
        found: dict[str, list[dict[str, object]]] = json.loads(shared.appcore(*arguments, "--json"))
        return found

    id = next(iter(core.invoices())).id
    for kind, members in (
        (appcore.Invoice, document("invoices", "list")["invoices"][0]),
        (appcore.InvoiceDetails, document("invoices", "show", id)["invoice"]),
        (appcore.Payment, document("payments", "list")["payments"][0]),
        (appcore.Contact, document("contacts", "list")["contacts"][0]),
        (appcore.Total, document("invoices", "summary")["months"][0]),
        (appcore.TaxTotal, document("invoices", "summary", "--by", "tax-rate")["taxes"][0]),
        (appcore.WithoutRate, document("invoices", "summary", "--in", "CHF")["withoutRate"][0]),
        (appcore.AgeingTotals, document("invoices", "summary", "--ageing")["ageing"][0]),
        (appcore.AccountStatus, document("status")["accounts"][0]),
    ):
        known = {member(field.name) for field in fields(kind)}
        assert set(members) - INTERNAL <= known


def test_an_instant_chooses_its_day(core: appcore.Core) -> None:
    day = next(invoice.issue_date for invoice in core.invoices(all=True) if invoice.issue_date)
    instant = datetime(day.year, day.month, day.day, 23, 59, tzinfo=UTC)
    of_instant = core.invoices(issued_from=instant, issued_to=instant, all=True).count()
    assert of_instant == core.invoices(issued_from=day, issued_to=day, all=True).count() > 0


def test_changes_are_all_records_once_and_then_none(core: appcore.Core) -> None:
    found: list[appcore.StoredChange] = []
    position = None
    has_more = True
    while has_more:
        page = core.changes_after(position, limit=50)
        assert not page.starts_over
        found += page.changes
        position, has_more = page.next, page.has_more
    assert len({(each.kind, each.account, each.id) for each in found}) == len(found)
    invoices = [each.record for each in found if each.kind == "invoice"]
    assert len(invoices) == INVOICES
    for invoice in invoices:
        assert isinstance(invoice, appcore.InvoiceDetails)
    assert core.changes_after(position) == appcore.ChangePage((), position, False, False)
    other = core.changes_after("other:1", kinds=["account"])
    assert other.starts_over and isinstance(other.changes[0].record, appcore.StoredAccount)
    with pytest.raises(appcore.BadArgument):
        core.changes_after("nonsense")
