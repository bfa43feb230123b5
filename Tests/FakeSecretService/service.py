"""Receives the calls of a D-Bus connection and answers them, as the modes have it."""

import collections
import os
import traceback

import dbus
import dbus.lowlevel
from gi.repository import GLib

from methods import BUS_ERROR, METHODS, SECRET, Refusal, absent, paths
from store import NONE, ROOT, SCHEMA, Store

PROPERTIES = "org.freedesktop.DBus.Properties"
DIED = 70


class Modes:
    """The behaviour that is set now."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.hidden = False
        self.prompt = "never"
        self.no_default = False
        self.writes_left = None  # None: no limit
        self.faults = {}  # method: ("hang",), ("die",), ("vanish",) or ("error", name)
        self.delays = {}  # method: seconds

    def fault(self, method):
        return self._of(self.faults, method)

    def delay(self, method):
        return self._of(self.delays, method) or 0

    @staticmethod
    def _of(table, method):
        """The entry for `Item.Delete`, else for `Delete`, else for `*`."""
        for key in (method, method.split(".")[-1], "*"):
            if key in table:
                return table[key]
        return None

    def take_write(self):
        """Whether this write may succeed; counts it."""
        if self.writes_left is None:
            return True
        if self.writes_left == 0:
            return False
        self.writes_left -= 1
        return True


class Service:
    """The Secret Service of one connection."""

    def __init__(self, connection, on_disconnect):
        self.connection = connection
        self.on_disconnect = on_disconnect
        self.modes = Modes()
        self.store = Store()
        self.sessions = {}  # path: the client that opened it
        self.calls = collections.Counter()
        self.caller = None  # who made the call that is being answered
        connection.add_signal_receiver(
            self._client_left, "NameOwnerChanged", "org.freedesktop.DBus", "org.freedesktop.DBus",
            arg2="")
        connection.add_message_filter(self._receive)

    # Calls

    def _receive(self, _, message):
        if message.get_path() == "/org/freedesktop/DBus/Local":
            self.on_disconnect()
        if message.get_type() != dbus.lowlevel.MESSAGE_TYPE_METHOD_CALL:
            return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED
        interface = (message.get_interface() or "").split(".")[-1]
        name = f"{interface}.{message.get_member()}"
        self.calls[name] += 1
        delay, fault = self.modes.delay(name), self.modes.fault(name)
        if delay:
            GLib.timeout_add(int(delay * 1000), self._answer, message, name, fault)
        else:
            self._answer(message, name, fault)
        return dbus.lowlevel.HANDLER_RESULT_HANDLED

    def _answer(self, message, name, fault):
        """Answers one call; the result ends the timer of a delayed one."""
        if fault == ("hang",):
            return GLib.SOURCE_REMOVE
        if fault == ("die",):
            os._exit(DIED)
        try:
            if fault == ("vanish",):
                item = self.store.item_at(str(message.get_path()))
                if item:
                    del item.collection.items[item.path]
                raise Refusal(BUS_ERROR + "UnknownMethod", "no object at this path")
            if fault:
                raise Refusal(fault[1], "as the test asked for")
            reply = self._perform(message, name)
        except Refusal as refusal:
            reply = dbus.lowlevel.ErrorMessage(message, refusal.name, str(refusal))
        except Exception:  # a mistake in here: say so, and go on
            traceback.print_exc()
            reply = dbus.lowlevel.ErrorMessage(message, BUS_ERROR + "Failed", "mistake in the fake")
        if not message.get_no_reply():
            self.connection.send_message(reply)
        return GLib.SOURCE_REMOVE

    def _perform(self, message, name):
        if name not in METHODS:
            raise Refusal(BUS_ERROR + "UnknownMethod", f"no method {name}")
        takes, gives, function = METHODS[name]
        if message.get_signature() != takes:
            raise Refusal(BUS_ERROR + "InvalidArgs", f"{name} takes {takes}")
        target = self._target(name.split(".")[0], str(message.get_path()))
        self.caller = message.get_sender()
        result = function(self, target, *message.get_args_list(byte_arrays=True))
        reply = dbus.lowlevel.MethodReturnMessage(message)
        if gives:
            reply.append(*(result if type(result) is tuple else (result,)), signature=gives)
        return reply

    def _target(self, interface, path):
        """The object that a call is for."""
        if interface == "Properties" or (interface == "Service" and path == ROOT):
            return path
        found = {
            "Collection": self.store.collection_at,
            "Item": self.store.item_at,
            "Prompt": self.store.prompts.get,
            "Session": lambda path: path if path in self.sessions else None,
        }.get(interface, lambda path: None)(path)
        if found is None:
            raise absent(path)
        return found

    def _client_left(self, client, _old, _new):
        self.store.remove_client(client)
        self.sessions = {k: v for k, v in self.sessions.items() if v != client}

    # What commands and methods have in common

    def emit(self, path, interface, member, signature, *values):
        """Sends a signal of an interface of the Secret Service."""
        self._send(path, SECRET + interface, member, signature, *values)

    def changed(self, path, interface, *names):
        """Tells what properties are now."""
        now = self.properties(path, interface)
        self._send(path, PROPERTIES, "PropertiesChanged", "sa{sv}as", SECRET + interface,
                   dbus.Dictionary({name: now[name] for name in names}, signature="sv"),
                   dbus.Array([], signature="s"))

    def _send(self, path, interface, member, signature, *values):
        signal = dbus.lowlevel.SignalMessage(path, interface, member)
        signal.append(*values, signature=signature)
        self.connection.send_message(signal)

    def announce_items(self, items):
        for item in items:
            item.collection.touch()
            self.emit(item.collection.path, "Collection", "ItemCreated", "o", item.path)
            self.changed(item.collection.path, "Collection", "Items")

    def announce_change(self, item):
        item.touch()
        self.emit(item.collection.path, "Collection", "ItemChanged", "o", item.path)
        self.changed(item.path, "Item", "Label", "Modified")

    def add_default(self, label):
        """Makes a new, empty keyring the default one."""
        keyring = self.store.add_collection(label)
        self.store.aliases["default"] = keyring.path
        self.emit(ROOT, "Service", "CollectionCreated", "o", keyring.path)
        self.changed(ROOT, "Service", "Collections")

    def set_locked(self, keyrings, value):
        for keyring in keyrings:
            if keyring.locked == value:
                continue
            keyring.locked = value
            self.changed(keyring.path, "Collection", "Locked")
            for item in keyring.items.values():
                self.changed(item.path, "Item", "Locked")
            self.emit(ROOT, "Service", "CollectionChanged", "o", keyring.path)

    def answer_open_prompts(self):
        """Lets the person answer what is shown, as the mode has it."""
        for prompt in list(self.store.prompts.values()):
            if prompt.shown and prompt.paths is not None and self.modes.prompt != "never":
                self.complete(prompt, accepted=self.modes.prompt == "accepts")

    def complete(self, prompt, accepted):
        """Takes a prompt away and tells how it ended."""
        del self.store.prompts[prompt.path]
        if prompt.paths is None:
            result = dbus.ObjectPath(NONE)
        else:
            done = [each for each in prompt.paths if accepted and self.store.owner_of(each)]
            self.set_locked([self.store.owner_of(each) for each in done], False)
            result = paths(done)
        self.emit(prompt.path, "Prompt", "Completed", "bv", not accepted, result)

    def properties(self, path, interface):
        """Every property of an object."""
        keyring, item = self.store.collection_at(path), self.store.item_at(path)
        if interface == "Service" and path == ROOT:
            return {"Collections": paths(self.store.collections)}
        if interface == "Collection" and keyring:
            return {"Items": paths(keyring.items), **self._common(keyring)}
        if interface == "Item" and item:
            return {"Attributes": dbus.Dictionary(item.attributes, signature="ss"),
                    "Type": item.kind or item.attributes.get(SCHEMA, ""), **self._common(item)}
        raise absent(path)

    @staticmethod
    def _common(thing):
        return {"Label": thing.label, "Locked": dbus.Boolean(thing.locked),
                "Created": dbus.UInt64(thing.created), "Modified": dbus.UInt64(thing.modified)}

    def describe(self):
        """What `dump` prints."""
        calls = collections.Counter()
        for name, count in self.calls.items():
            calls[name.split(".")[-1]] += count
        return {**self.store.describe(), "calls": calls, "qualifiedCalls": self.calls}
