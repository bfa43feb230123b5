import appcore
import pandas

with appcore.open() as core:
    invoices = pandas.DataFrame(list(core.invoices(type="bill")))

invoices["month"] = pandas.to_datetime(invoices["issue_date"]).dt.to_period("M")
print(invoices.groupby(["currency", "month"])["total"].sum())
