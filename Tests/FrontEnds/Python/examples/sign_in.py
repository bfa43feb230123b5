import webbrowser

import appcore

with appcore.open() as core:
    for event in core.sign_in():
        match event:
            case appcore.OpenURL(url=url):
                print("To sign in, visit:", url)
                webbrowser.open(url)
            case appcore.SignedIn(account=account):
                print("Signed in as", account)
