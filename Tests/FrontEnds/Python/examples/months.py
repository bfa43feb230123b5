import appcore
import pandas

with appcore.open() as core:
    bills = [(bill.currency, bill.issue_date, bill.total) for bill in core.invoices(type="bill")]

table = pandas.DataFrame(bills, columns=["currency", "issued", "total"])
table["month"] = pandas.to_datetime(table["issued"]).dt.to_period("M")
print(table.groupby(["currency", "month"], dropna=False)["total"].sum())
