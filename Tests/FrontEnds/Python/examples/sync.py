import sys

import appcore

with appcore.open() as core:
    try:
        for event in core.sync("invoices"):
            match event:
                case appcore.Progress(event=appcore.ProgressEvent.STORED):
                    print(event.position, "of", event.total)
                case appcore.SyncReport():
                    print(event.inserted, "new,", event.updated, "changed")
    except (appcore.TryAgainLater, appcore.Unavailable) as error:
        sys.exit(f"Not now: {error.message}. {error.hint or ''}")
    except appcore.AppCoreError as error:
        sys.exit(f"{error.message}. {error.hint or ''}")
