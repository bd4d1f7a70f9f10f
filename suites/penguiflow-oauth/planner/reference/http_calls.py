"""One HTTP request at a time: bounded, without redirects, and with the authorities that the machine trusts."""

import http.client
import ssl
from urllib.parse import urlsplit

LIMIT = 1024 * 1024
TIMEOUT = 15
_trust = None


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body


def request(method, url, headers=None, body=None):
    """Raises OSError or http.client.HTTPException where no answer comes."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        connection = http.client.HTTPSConnection(parts.netloc, timeout=TIMEOUT, context=_context())
    else:
        connection = http.client.HTTPConnection(parts.netloc, timeout=TIMEOUT)
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, body, headers or {})
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read(LIMIT))
    finally:
        connection.close()


def _context():
    global _trust
    if _trust is None:
        _trust = ssl.create_default_context()
    return _trust
