/** What its author tells a conformance run of this client application: its environment, and how its user is reached. */

export const conformance = {
  target: {
    env: {
      PORT: '{port}',
      AGENT_URL: '{agent.url}',
      AGENT_APP: '{agent.app}',
      CONSENT_BEGIN: '{agent.consentBegin}',
      CONSENT_COMPLETE: '{agent.consentComplete}',
    },
  },
  drive: {
    http: {
      message: { path: '/messages?user={user}', body: { text: '{text}' } },
      surface: [{ poll: { path: '/messages?user={user}' } }],
    },
  },
}
