/** Where the provider sends the browser, unless the vendor says otherwise: nobody listens there, the client looks at it. */

export const redirectUrl = 'http://127.0.0.1:8976/callback'
