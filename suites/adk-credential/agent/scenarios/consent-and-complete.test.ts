import { describeExamples, withoutShared } from '../../../testing.ts'
import {
  inResponse,
  items,
  options,
  recording,
  requestCases,
  said,
  standIn,
  type Cases,
} from '../testing.ts'
import { consentAndComplete } from './consent-and-complete.ts'

const asked = (request = said.request()) => recording().asked('user-1', request)
const resumed = () => recording().asked().decision().callback().grant().access()
const told = JSON.stringify(items())

const cases: Record<string, Cases> = {
  'adk-credential/agent/request-before-result': {
    pass: {
      'a request': asked(),
      'a result as well, which stands in for the real one': asked(),
      'by a response': recording()
        .begin()
        .model([], 'list_items')
        .events([said.call(), inResponse('paused-1')]),
    },
    violation: {
      'a result': recording()
        .begin()
        .model([], 'list_items')
        .events([said.call(), said.result(items())]),
      nothing: recording().begin().model([], 'list_items').events([said.call(), said.text()]),
      'HTTP 500': recording().begin().model([], 'list_items').answered(500),
    },
    inconclusive: {
      'the model did not call it': recording().begin().model().events([said.text()]),
      'the message was not answered': recording().begin().model([], 'list_items'),
    },
  },
  ...requestCases,
  'adk-credential/agent/call-replayed': {
    pass: {
      'its result': resumed().back([said.result(items())]),
      'its error': resumed().back([said.result({ error: 'no' })]),
    },
    violation: {
      'under another id': resumed().back([said.result(items(), 'another')]),
      'what stood in for it': resumed().back([said.result(standIn)]),
      nothing: resumed().back([said.text()]),
    },
    inconclusive: {
      'no token was issued': recording().asked().callback().back(),
      'the answer was not answered': resumed(),
      'nobody was asked': recording()
        .begin()
        .events([said.result(items())]),
    },
  },
  'adk-credential/agent/model-gets-result': {
    pass: {
      'the result': resumed()
        .model([told])
        .back([said.result(items())]),
      'in words': resumed()
        .model([`The tool says: ${told}`])
        .back([said.result(items())]),
      'as Python writes it': resumed()
        .model(["{'titles': ['Welcome, subject-of-user-1']}"])
        .back([said.result({ result: told })]),
      'as YAML': resumed()
        .model(['titles:\n  - Welcome, subject-of-user-1'])
        .back([said.result(items())]),
      'without what is around it in the event': resumed()
        .model(["Result: [{'id': 7, 'title': 'A\\u00e9 B'}]"])
        .back([said.result({ status: true, result: [{ id: 7, title: 'A\u00e9 B' }] })]),
      'in words of the user': resumed()
        .heard(`It found ${told}`)
        .back([said.result(items())]),
    },
    violation: {
      'what stood in for it': resumed()
        .model([JSON.stringify(standIn)])
        .back([said.result(items())]),
      'a part of it': resumed()
        .model([told])
        .back([said.result({ ...items(), more: 'And another one' })]),
      'its own words alone': resumed()
        .heard(told, 'assistant')
        .back([said.result(items())]),
      'it is not asked again': resumed().back([said.result(items())]),
    },
    inconclusive: {
      'there is no result': resumed().model([told]).back([said.text()]),
      'no token was issued': recording()
        .asked()
        .callback()
        .back([said.result(items())]),
    },
  },
}

describeExamples([withoutShared(consentAndComplete)], { 'consent-and-complete': cases }, options)
