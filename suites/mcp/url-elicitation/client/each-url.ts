/** Of a call that asks for several URLs, what became of each. */

import { isAfter } from '../../../../harness/engine/index.ts'
import { textIn } from '../../wire/values.ts'
import { isAbout, type CallView } from './view.ts'

/** Each URL that a call asked for, with what became of it; where prompts show none, each is for the URL of its turn. */
export const askedFor = (call: CallView) => {
  const urls = call.askings.map(({ params }) => textIn(params['url']))
  const areShown = call.prompts.some((each) => urls.some((url) => isAbout(each, url)))
  return call.askings.map(({ name, frame }, nth) => {
    const url = urls[nth] ?? ''
    const prompt = areShown ? call.prompts.find((each) => isAbout(each, url)) : call.prompts[nth]
    return {
      url,
      asked: frame.event,
      decision: call.decisions.find(({ detail }) => detail['prompt'] === prompt?.detail['id']),
      reply: call.replies.find(({ to }) => to === name),
      opened: call.opened.find(({ detail }) => detail['url'] === url),
    }
  })
}

export type Asked = ReturnType<typeof askedFor>[number]

export const agreedTo = ({ decision }: Asked): boolean => decision?.detail['action'] === 'accept'

/** One that was opened although its user had not agreed to it (Safe URL Handling 2: consent is for one URL). */
export function openedUnagreed(all: readonly Asked[]): Asked | undefined {
  return all.find((each) => each.opened && !(agreedTo(each) && isAfter(each.opened, each.decision)))
}
