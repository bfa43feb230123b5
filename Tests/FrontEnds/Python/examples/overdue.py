import appcore

with appcore.open() as core:
    for invoice in core.invoices(overdue=True, sort="dueDate"):
        print(
            invoice.due_date,
            invoice.number or invoice.id,
            invoice.contact.name or "-",
            invoice.amount_due,
            invoice.currency,
        )
