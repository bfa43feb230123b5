import appcore

with appcore.open(new_config=True) as core:
    for provider in core.providers():
        print(provider.name, provider.sign_in[0], provider.registration_url)
    core.add_account("shop", provider="stripe")

# Another core has the account.
with appcore.open() as core:
    ways = core.sign_in_ways("shop")
    print(f"{ways.title} takes your {ways.token_name}")
