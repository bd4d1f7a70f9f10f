"""What is kept: by secret keys of which only a hash is stored, in memory or in a folder that survives a restart."""

import hashlib
import json
import os
import threading


class Kept:
    """A table of JSON values. Whoever takes an entry is the only one."""

    def __init__(self, folder=None):
        self.folder, self.entries, self.lock = folder, {}, threading.Lock()
        if folder:
            os.makedirs(folder, mode=0o700, exist_ok=True)

    def put(self, key, value):
        with self.lock:
            text = json.dumps(value)
            if not self.folder:
                self.entries[name(key)] = text
                return
            path = self._path(key)
            with open(path + ".new", "w") as file:
                file.write(text)
            os.replace(path + ".new", path)

    def get(self, key):
        with self.lock:
            return self._read(key)

    def take(self, key, fits=lambda value: True):
        """Gives an entry and forgets it, where it fits."""
        with self.lock:
            value = self._read(key)
            if value is None or not fits(value):
                return None
            self._drop(key)
            return value

    def drop(self, key):
        with self.lock:
            self._drop(key)

    def all(self):
        """(name, text) of each entry."""
        with self.lock:
            if not self.folder:
                return list(self.entries.items())
            names = [each for each in os.listdir(self.folder) if not each.endswith(".new")]
            return [(each, open(os.path.join(self.folder, each)).read()) for each in names]

    def _read(self, key):
        try:
            text = open(self._path(key)).read() if self.folder else self.entries.get(name(key))
        except FileNotFoundError:
            return None
        return None if text is None else json.loads(text)

    def _drop(self, key):
        if not self.folder:
            self.entries.pop(name(key), None)
            return
        try:
            os.unlink(self._path(key))
        except FileNotFoundError:
            pass

    def _path(self, key):
        return os.path.join(self.folder, name(key))


def name(key):
    text = key if isinstance(key, str) else json.dumps(key)
    return hashlib.sha256(text.encode()).hexdigest()
