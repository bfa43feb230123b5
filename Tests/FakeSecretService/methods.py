"""What each D-Bus method does. A function gets the service, the object called, the arguments."""

import os

import dbus
from gi.repository import GLib

from store import NONE, ROOT, SCHEMA

SECRET = "org.freedesktop.Secret."
BUS_ERROR = "org.freedesktop.DBus.Error."
METHODS = {}  # "Item.Delete": (signature in, signature out, function)


class Refusal(Exception):
    """Becomes a D-Bus error."""

    def __init__(self, name, text):
        super().__init__(text)
        self.name = name


def locked():
    return Refusal(SECRET + "Error.IsLocked", "locked")


def absent(path):
    """What a service written with GDBus, such as gnome-keyring, answers for an unknown path."""
    return Refusal(BUS_ERROR + "UnknownMethod", f"Object does not exist at path “{path}”")


def paths(values):
    return dbus.Array(values, signature="o")


def of(things):
    return paths([each.path for each in things])


def strings(attributes):
    return {str(key): str(value) for key, value in attributes.items()}


def method(name, takes="", gives=""):
    def mark(function):
        METHODS[name] = (takes, gives, function)
        return function
    return mark


def method_names():
    """The names that a command may use: `Item.Delete`, `Delete`."""
    return {*METHODS, *(name.split(".")[-1] for name in METHODS)}


# Service

@method("Service.OpenSession", "sv", "vo")
def open_session(service, _, algorithm, _input):
    if algorithm != "plain":
        raise Refusal(BUS_ERROR + "NotSupported", f"no algorithm {algorithm}")
    # The process number keeps the sessions of a service that was there before from being taken.
    path = f"{ROOT}/session/s{os.getpid()}_{service.store.next_number()}"
    service.sessions[path] = service.caller
    return "", path


@method("Service.CreateCollection", "a{sv}s", "oo")
def create_collection(service, _, properties, alias):
    if service.modes.no_default:
        return NONE, service.store.add_prompt(service.caller, paths=None).path
    keyring = service.store.add_collection(str(properties.get(SECRET + "Collection.Label", "")))
    if alias:
        service.store.aliases[str(alias)] = keyring.path
    service.emit(ROOT, "Service", "CollectionCreated", "o", keyring.path)
    service.changed(ROOT, "Service", "Collections")
    return keyring.path, NONE


@method("Service.SearchItems", "a{ss}", "aoao")
def search_service(service, _, attributes):
    found = search(service, service.store.items(), attributes)
    return (of(item for item in found if not item.locked),
            of(item for item in found if item.locked))


@method("Service.Unlock", "ao", "aoo")
def unlock(service, _, wanted):
    known = [each for each in wanted if service.store.owner_of(each)]
    closed = [each for each in known if service.store.owner_of(each).locked]
    prompt = service.store.add_prompt(service.caller, closed).path if closed else NONE
    return paths([each for each in known if each not in closed]), prompt


@method("Service.Lock", "ao", "aoo")
def lock(service, _, wanted):
    known = [each for each in wanted if service.store.owner_of(each)]
    service.set_locked([service.store.owner_of(each) for each in known], True)
    return paths(known), NONE


@method("Service.GetSecrets", "aoo", "a{o(oayays)}")
def get_secrets(service, _, wanted, session):
    check_session(service, session)
    items = [service.store.item_at(each) for each in wanted]
    return dbus.Dictionary({item.path: secret_of(item, session)
                            for item in items if item and not item.locked},
                           signature="o(oayays)")


@method("Service.ReadAlias", "s", "o")
def read_alias(service, _, name):
    return service.store.aliases.get(name, NONE)


@method("Service.SetAlias", "so")
def set_alias(service, _, name, path):
    if path == NONE:
        service.store.aliases.pop(name, None)
    elif path in service.store.collections:
        service.store.aliases[str(name)] = str(path)
    else:
        raise Refusal(SECRET + "Error.NoSuchObject", f"no collection {path}")


# Collection

@method("Collection.CreateItem", "a{sv}(oayays)b", "oo")
def create_item(service, keyring, properties, secret, replace):
    if keyring.locked:
        raise locked()
    value, content_type = written(service, secret)
    label = str(properties.get(SECRET + "Item.Label", ""))
    attributes = strings(properties.get(SECRET + "Item.Attributes", {}))
    twins = [each for each in keyring.items.values() if each.attributes == attributes]
    if replace and twins:
        item = twins[0]
        item.label, item.secret, item.content_type = label, value, content_type
        service.announce_change(item)
    else:
        kind = str(properties.get(SECRET + "Item.Type", ""))
        item = service.store.add_item(keyring, label, attributes, value, content_type, kind)
        service.announce_items([item])
    return item.path, NONE


@method("Collection.SearchItems", "a{ss}", "ao")
def search_collection(service, keyring, attributes):
    return of(search(service, keyring.items.values(), attributes))


@method("Collection.Delete", "", "o")
def delete_collection(service, keyring):
    service.store.remove_collection(keyring)
    service.emit(ROOT, "Service", "CollectionDeleted", "o", keyring.path)
    service.changed(ROOT, "Service", "Collections")
    return NONE


# Item

@method("Item.GetSecret", "o", "(oayays)")
def get_secret(service, item, session):
    check_session(service, session)
    if item.locked:
        raise locked()
    return (secret_of(item, session),)


@method("Item.SetSecret", "(oayays)")
def set_secret(service, item, secret):
    if item.locked:
        raise locked()
    item.secret, item.content_type = written(service, secret)
    service.announce_change(item)


@method("Item.Delete", "", "o")
def delete_item(service, item):
    if item.locked:
        raise locked()
    del item.collection.items[item.path]
    service.emit(item.collection.path, "Collection", "ItemDeleted", "o", item.path)
    service.changed(item.collection.path, "Collection", "Items")
    return NONE


# Prompt and Session

@method("Prompt.Prompt", "s")
def show(service, prompt, _window):
    prompt.shown = True
    service.store.prompts_shown += 1
    GLib.idle_add(service.answer_open_prompts)  # after the answer to this call


@method("Prompt.Dismiss")
def dismiss(service, prompt):
    service.complete(prompt, accepted=False)


@method("Session.Close")
def close(service, path):
    del service.sessions[path]


# Properties of all of them

@method("Properties.Get", "ss", "v")
def get(service, path, interface, name):
    values = service.properties(path, interface.removeprefix(SECRET))
    if name not in values:
        raise Refusal(BUS_ERROR + "UnknownProperty", f"no property {name}")
    return values[name]


@method("Properties.GetAll", "s", "a{sv}")
def get_all(service, path, interface):
    return dbus.Dictionary(service.properties(path, interface.removeprefix(SECRET)),
                           signature="sv")


@method("Properties.Set", "ssv")
def set_property(service, path, interface, name, value):
    thing = service.store.item_at(path) or service.store.collection_at(path)
    interface = interface.removeprefix(SECRET)
    service.properties(path, interface)  # is there such an object?
    if name == "Label":
        thing.label = str(value)
    elif name == "Attributes" and interface == "Item" and not thing.locked:
        thing.attributes = strings(value)
    else:
        raise locked() if name == "Attributes" else Refusal(
            BUS_ERROR + "PropertyReadOnly", f"{name} cannot be set")
    thing.touch()
    service.changed(thing.path, interface, name, "Modified")


# What several of them do

def search(service, items, attributes):
    attributes = strings(attributes)
    hides = service.modes.hidden and SCHEMA in attributes
    return [each for each in items if each.matches(attributes) and not (hides and each.locked)]


def check_session(service, session):
    if service.sessions.get(session) != service.caller:
        raise Refusal(SECRET + "Error.NoSession", "The session does not exist")


def secret_of(item, session):
    return dbus.Struct((dbus.ObjectPath(session), dbus.ByteArray(b""),
                        dbus.ByteArray(item.secret), item.content_type), signature="oayays")


def written(service, secret):
    """The bytes and the content type of a secret to write."""
    session, _parameters, value, content_type = secret
    check_session(service, session)
    if not service.modes.take_write():
        raise Refusal(BUS_ERROR + "Failed", "writing fails, as the test asked for")
    return bytes(value), str(content_type)
