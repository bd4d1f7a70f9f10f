/** The deliberate defects of this planner: what each does, one line each. `defects.py` has them; `varied.py` runs one. */

import type { Defect } from './variation.ts'

export const defects: readonly Defect[] = [
  { id: 'never-pauses', description: 'a tool without a token fails instead of pausing' },
  { id: 'api-before-pause', description: 'the API is tried before the user is asked' },
  { id: 'reason-other', description: 'it pauses with the reason await_input' },
  {
    id: 'provider-is-always-oauth',
    description: 'the payload names the provider oauth, whatever the tool needs',
  },
  {
    id: 'provider-is-always-the-first',
    description: 'the payload names the first provider, whatever the tool needs',
  },
  {
    id: 'second-pause-bare',
    description: 'when a run pauses once more, the payload has hardly more than the URL',
  },
  { id: 'provider-missing', description: 'the payload does not name the provider' },
  { id: 'display-name-missing', description: 'the payload has no display_name' },
  { id: 'state-missing', description: 'the payload has no state: it stands in the URL alone' },
  { id: 'anonymous-pauses', description: 'it pauses for a user that it does not know' },
  {
    id: 'anonymous-call',
    description: 'for a user that it does not know it asks the API without a token',
  },
  {
    id: 'tokens-of-conversation',
    description: 'a stored token serves the conversation alone that it was given in',
  },
  {
    id: 'refused-token-is-the-end',
    description: 'a token that the API refuses is an error of the tool, and stays',
  },
  {
    id: 'refused-token-stays',
    description: 'after a refused token the user is asked again, and the first token stays in use',
  },
  {
    id: 'token-of-another-after-refusal',
    description: 'where the API refuses a token, that of another user is tried',
  },
  {
    id: 'unknown-handle-is-a-new-run',
    description: 'what is said under a handle that is not known begins a run',
  },
  {
    id: 'second-call-fails',
    description: 'where one call of a step pauses, the next is called an error',
  },
  {
    id: 'second-resumption-fails',
    description: 'a run that was resumed once cannot be resumed after another pause',
  },
  {
    id: 'second-call-forgotten',
    description: 'where one call of a step pauses, the next is called done',
  },
  {
    id: 'tokens-of-user-alone',
    description: 'a token serves the tools of every provider for its user',
  },
  {
    id: 'tokens-in-any-case',
    description: 'a token serves every user whose name differs in the case of its letters alone',
  },
  {
    id: 'remembers-for-all',
    description: 'the model is told what a tool has brought last, whoever it was for',
  },
  { id: 'pauses-of-one-name', description: 'users whose names end alike share one pause' },
  { id: 'one-pause-per-user', description: 'the newest pause of a user takes the place of others' },
  {
    id: 'newest-conversation-resumed',
    description: 'any handle of a user resumes the conversation that has paused last',
  },
  { id: 'state-of-one-name', description: 'users whose names end alike share one state' },
  {
    id: 'token-of-newest-user',
    description: 'the client of the API keeps one token for users whose names end alike',
  },
  {
    id: 'user-of-first-message',
    description: 'a conversation acts for the user who has begun it, whoever speaks in it',
  },
  { id: 'nothing-after-consent', description: 'a resumed run ends without running its tool' },
  { id: 'believes-the-word', description: 'resumed with oauth_completed it runs without a token' },
  {
    id: 'newest-token-when-told',
    description: 'who is said to have consented, and has no token, gets the newest one of anybody',
  },
  { id: 'any-handle', description: 'an unknown handle resumes the newest pause of the user' },
  {
    id: 'handle-by-its-beginning',
    description: 'of a handle only the first six characters are looked at',
  },
  {
    id: 'handle-by-its-end',
    description: 'of a handle only the last eight characters are looked at',
  },
  {
    id: 'handle-cut-taken',
    description: 'a handle is looked up by whatever it begins with',
  },
  {
    id: 'handle-with-more-taken',
    description: 'of a handle what follows the right one is not looked at',
  },
  {
    id: 'handle-in-any-case',
    description: 'upper and lower case of a handle are one',
  },
  { id: 'counted-handles', description: 'handles are numbers that count up' },
  {
    id: 'handles-of-conversation',
    description: 'a handle is a digest of user and conversation',
  },
  { id: 'handles-of-state', description: 'a handle is a digest of the state of its flow' },
  {
    id: 'handles-are-states-backwards',
    description: 'a handle is the state of its flow, backwards',
  },
  { id: 'user-in-handle', description: 'the handle begins with the user' },
  { id: 'handles-reused', description: 'a handle resumes again and again' },
  { id: 'handles-forgotten-late', description: 'a handle is forgotten when its run has ended' },
  {
    id: 'runs-kept-alive',
    description: 'a run that was resumed is kept, and its handle goes on with it once more',
  },
  {
    id: 'used-handles-in-memory',
    description: 'which handles were used is kept in memory, so that it is forgotten in a restart',
  },
  {
    id: 'handles-alike-in-every-process',
    description: 'handles come from a generator that every process seeds alike',
  },
  {
    id: 'user-of-resumption',
    description: 'the user of the resumption takes the place of that of the pause',
  },
  {
    id: 'user-of-resumption-in-any-case',
    description:
      'the user of the resumption takes the place of that of the pause where their names differ in case alone',
  },
  { id: 'pauses-in-memory', description: 'pauses are kept in memory, whatever store there is' },
  {
    id: 'user-not-kept',
    description: 'after a restart a pause is resumed, and its tool does not know for whom it acts',
  },
  {
    id: 'lost-pauses-end-in-words',
    description:
      'pauses are kept in memory, one for users whose names end alike; what is lost ends in words',
  },
  { id: 'denial-runs-tool', description: 'the tool runs after a denial' },
  { id: 'denial-unheard', description: 'a denial is an error that nobody is told of' },
  { id: 'denial-without-a-word', description: 'a denial ends the run, and nothing is said' },
  { id: 'denial-hangs', description: 'after a denial the run waits for ever' },
  {
    id: 'token-in-result',
    description: 'the result of a tool has the token that it was made with',
  },
  {
    id: 'token-in-error',
    description: 'the error of a tool quotes the request that has failed, with its token',
  },
  { id: 'state-to-model', description: 'the model is given the authorization URL' },
  { id: 'handle-to-model', description: 'the model is given the handle' },
  { id: 'client-secret-to-model', description: 'the model is given the client secret' },
  { id: 'token-logged', description: 'the token is logged' },
  { id: 'context-in-record', description: 'the record of a pause has the context of its tools' },
]
