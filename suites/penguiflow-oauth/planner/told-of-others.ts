/** Whether what the tools of one user brought reaches the run of another. */

import {
  cite,
  inconclusive,
  pass,
  violation,
  type Transcript,
} from '../../../harness/engine/index.ts'
import { callsOf, fieldsOf, listIn, type CallView } from '../view.ts'
import type { Judge } from './checks.ts'

/** A run whose user alone speaks in its conversation, and the accounts that this user has at the provider. */
interface Run {
  readonly call: CallView
  readonly own: ReadonlySet<unknown>
}

/**
 * No request to the model names the account of another user (PenguiFlow, Security / multi-tenancy notes). Whose data the
 * result of a tool is, is asked by `own-token-at-api`: of results only those count that were there before any tool ran.
 */
export const tellsNothingOfOthers: Judge = (t) => {
  const accounts = accountsIn(t)
  if (accounts.size < 2) return inconclusive('no two users have consented')
  const runs = scenariosOf(t).flatMap(runsOfOneUser)
  for (const { call, own } of runs) {
    for (const [index, step] of call.modelAsked.entries()) {
      const told = JSON.stringify(messagesIn(step.detail['messages'], index === 0))
      const named = told.match(/subject-of-[\w-]+/g) ?? []
      const foreign = named.find((each) => accounts.has(each) && !own.has(each))
      if (foreign === undefined) continue
      const difference = { expected: `nothing but what is of ${call.user}`, actual: foreign }
      const what = 'the model was told of the account of another user'
      return violation(what, difference, cite(call.message, step))
    }
  }
  const asked = runs.flatMap(({ call }) => call.modelAsked)
  if (asked.length === 0) return inconclusive('the model was not asked for anybody')
  return pass(`${asked.length} requests to the model`, cite(...asked.slice(0, 3)))
}

/** Calls have their names in a scenario each. */
function scenariosOf(t: Transcript): Transcript[] {
  const names = new Set(t.steps('begin').map(({ scenario }) => scenario))
  return [...names].map((name) => t.of(name))
}

/** Left out: conversations in which others speak as well, nobody's runs, and those that another user resumes. */
function runsOfOneUser(t: Transcript): Run[] {
  const calls = callsOf(t)
  const ofUser = ({ user }: CallView) => calls.filter((each) => each.user === user)
  return calls
    .filter(({ user, sentValues: { conversation }, resumes }) => {
      const beside = calls.filter(({ sentValues }) => sentValues.conversation === conversation)
      const users = [
        ...beside.map((each) => each.user),
        ...resumes.map(({ detail }) => detail['user']),
      ]
      return user !== '' && users.every((each) => each === user)
    })
    .map((call) => ({
      call,
      own: new Set(ofUser(call).flatMap(({ name }) => [...accountsIn(t, name)])),
    }))
}

/** The accounts of those who have decided. */
function accountsIn(t: Transcript, call?: string): Set<unknown> {
  return new Set(t.provider('decision', call).map(({ detail }) => detail['subject']))
}

/** All of them, or those alone that are no results of tools. */
function messagesIn(messages: unknown, all: boolean) {
  return listIn(messages).filter(
    (each) => all || listIn(fieldsOf(each)['toolResults']).length === 0,
  )
}
