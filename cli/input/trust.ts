/** How to make common software trust a certificate authority that is in a file. */

export interface TrustHint {
  readonly software: string
  readonly how: string
}

/** A hint for each stack; `file` holds the certificate, PEM. */
export function trustHints(file: string): readonly TrustHint[] {
  const path = /^[\w./~:@%+,-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`
  return [
    { software: 'Node', how: `NODE_EXTRA_CA_CERTS=${path} node app.js` },
    {
      software: 'Python',
      how: `SSL_CERT_FILE=${path} REQUESTS_CA_BUNDLE=${path} python app.py (ssl, httpx; requests)`,
    },
    { software: 'Go', how: `SSL_CERT_FILE=${path} ./app (macOS, Windows: the system's store)` },
    {
      software: 'Rust',
      how: `SSL_CERT_FILE=${path} ./app (OpenSSL, rustls-native-certs; otherwise add_root_certificate)`,
    },
    {
      software: 'Java',
      how: `keytool -importcert -noprompt -alias mock -file ${path} -keystore mock.p12 -storepass changeit && java -Djavax.net.ssl.trustStore=mock.p12 -Djavax.net.ssl.trustStorePassword=changeit …`,
    },
    { software: 'curl', how: `curl --cacert ${path} … (or CURL_CA_BUNDLE=${path})` },
    {
      software: 'Browsers',
      how: `import ${path} as an authority: Firefox, Settings > Privacy & Security > Certificates; Chromium, chrome://certificate-manager; Safari, the keychain`,
    },
  ]
}
