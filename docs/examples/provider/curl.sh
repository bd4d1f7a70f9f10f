#!/bin/sh
# A login by curl alone. `sh curl.sh [ISSUER]`; the client `web` has the secret `s` and this callback.
set -eu
issuer=${1:-http://127.0.0.1:9400}
callback=http://localhost:3000/callback
# the example of RFC 7636, Appendix B
verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk
challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM

# the user agent: it is sent to a page
page=$(curl -fsS -o /dev/null -w '%{redirect_url}' -G "$issuer/authorize" \
  -d response_type=code -d client_id=web -d redirect_uri=$callback -d scope=items:read -d state=xyz \
  -d code_challenge=$challenge -d code_challenge_method=S256)

# the user: in place of the page's button
back=$(curl -fsS -o /dev/null -w '%{redirect_url}' "$page/decision" \
  -H 'content-type: application/json' -d '{"action":"approve","subject":"alice"}')
code=$(printf %s "$back" | sed 's/.*[?&]code=\([^&]*\).*/\1/')

# the client
tokens=$(curl -fsS -u web:s "$issuer/token" -d grant_type=authorization_code -d code="$code" \
  -d redirect_uri=$callback -d code_verifier=$verifier)
token=$(printf %s "$tokens" | sed 's/.*"access_token":"\([^"]*\)".*/\1/')
curl -fsS -H "authorization: Bearer $token" "$issuer/resource/items"
