/** What a browser would run where a page shows an error description as it came (RFC 6749 §10.14). */
export const markup = '<script>alert(1)</script><img src=x onerror="alert(1)">'
