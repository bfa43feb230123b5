"""Prints the postings of a beancount file, a line each, and its errors on standard error."""

import sys

from beancount import loader
from beancount.core import data

entries, errors, _ = loader.load_file(sys.argv[1])
for error in errors:
    print(error, file=sys.stderr)
for entry in entries:
    if not isinstance(entry, data.Transaction):
        continue
    for posting in entry.postings:
        number, currency = posting.units
        print(entry.date, entry.flag, posting.account, f"{number:f}", currency, sep="\t")
