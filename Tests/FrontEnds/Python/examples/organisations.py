import appcore

with appcore.open() as core:
    found = core.organisations()
    for organisation in found.organisations:
        print(organisation.id, organisation.name)
    core.choose_organisation(found.organisations[0].id)
