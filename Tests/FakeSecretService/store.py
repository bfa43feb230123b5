"""What the service holds: collections, items, aliases, prompts. In memory, no D-Bus."""

import base64
import itertools
import json
import time

ROOT = "/org/freedesktop/secrets"
NONE = "/"
SCHEMA = "xdg:schema"


class Item:
    """One secret with the attributes that it is found by."""

    def __init__(self, collection, path, label, attributes, secret, content_type, kind=""):
        self.collection = collection
        self.path = path
        self.label = label
        self.attributes = dict(attributes)
        self.secret = bytes(secret)
        self.content_type = content_type
        self.kind = kind
        self.created = self.modified = int(time.time())

    @property
    def locked(self):
        return self.collection.locked

    def matches(self, attributes):
        """Whether every attribute asked for is there with the same value."""
        return attributes.items() <= self.attributes.items()

    def touch(self):
        self.modified = int(time.time())


class Collection:
    """A keyring. Its items are locked when it is."""

    def __init__(self, path, label):
        self.path = path
        self.label = label
        self.locked = False
        self.items = {}
        self.created = self.modified = int(time.time())

    def touch(self):
        self.modified = int(time.time())


class Prompt:
    """A question to the person who uses `client`.

    It is about unlocking `paths`, or about a new collection where these are `None`: nobody
    answers that.
    """

    def __init__(self, path, client, paths):
        self.path = path
        self.client = client
        self.paths = paths
        self.shown = False


class Store:
    """Everything that has an object path, except sessions."""

    def __init__(self):
        self.collections = {}
        self.aliases = {}
        self.prompts = {}
        self.prompts_shown = 0
        self._numbers = itertools.count(1)
        self.ensure_default()

    def next_number(self):
        return next(self._numbers)

    def ensure_default(self):
        """Makes sure that the alias `default` leads to a collection."""
        if not self.collections:
            self.add_collection("Login", name="login")
        if self.aliases.get("default") not in self.collections:
            self.aliases["default"] = next(iter(self.collections))

    def add_collection(self, label, name=None):
        path = f"{ROOT}/collection/{name or 'c%d' % self.next_number()}"
        self.collections[path] = Collection(path, label)
        return self.collections[path]

    def remove_collection(self, collection):
        del self.collections[collection.path]
        self.aliases = {k: v for k, v in self.aliases.items() if v != collection.path}

    def add_item(self, collection, label, attributes, secret, content_type, kind=""):
        path = f"{collection.path}/{self.next_number()}"
        item = Item(collection, path, label, attributes, secret, content_type, kind)
        collection.items[path] = item
        return item

    def add_prompt(self, client, paths):
        path = f"{ROOT}/prompt/p{self.next_number()}"
        self.prompts[path] = Prompt(path, client, paths)
        return self.prompts[path]

    def remove_client(self, client):
        """Takes away the prompts of a process that has left the bus."""
        self.prompts = {k: v for k, v in self.prompts.items() if v.client != client}

    def items(self):
        return [item for each in self.collections.values() for item in each.items.values()]

    def duplicate(self):
        """Gives every item a twin with the same attributes and another secret."""
        return [
            self.add_item(
                item.collection, item.label, item.attributes, b"duplicate of " + item.secret,
                item.content_type, item.kind)
            for item in self.items()
        ]

    def collection_at(self, path):
        """The collection at its own path or at that of an alias."""
        prefix = f"{ROOT}/aliases/"
        if path.startswith(prefix):
            path = self.aliases.get(path[len(prefix):], NONE)
        return self.collections.get(path)

    def item_at(self, path):
        return next((each.items[path] for each in self.collections.values() if path in each.items),
                    None)

    def owner_of(self, path):
        """The collection that has to be unlocked for a collection or an item."""
        item = self.item_at(path)
        return item.collection if item else self.collection_at(path)

    def load(self, file_name):
        """Adds the items of a file: a list, or an object with `items` as `dump` prints it."""
        with open(file_name, encoding="utf-8") as file:
            document = json.load(file)
        collection = self.collections[self.aliases["default"]]
        for each in document["items"] if isinstance(document, dict) else document:
            self.add_item(
                collection, each.get("label", ""), each["attributes"],
                base64.b64decode(each["secret"], validate=True),
                each.get("contentType", "text/plain"))

    def describe(self):
        """What `dump` prints of it."""
        return {
            "items": [
                {
                    "path": item.path,
                    "collection": item.collection.path,
                    "label": item.label,
                    "attributes": item.attributes,
                    "secret": base64.b64encode(item.secret).decode(),
                    "contentType": item.content_type,
                    "locked": item.locked,
                }
                for item in self.items()
            ],
            "collections": {each.path: {"label": each.label, "locked": each.locked}
                            for each in self.collections.values()},
            "aliases": self.aliases,
            "promptShown": self.prompts_shown > 0,
            "promptCount": self.prompts_shown,
            "openPrompts": sum(each.shown for each in self.prompts.values()),
        }
