import { describeExamples } from '../../../../testing.ts'
import { options, recording, type Cases, type Recording } from '../testing.ts'
import { laterSession, twoSessions } from './two-sessions.ts'

const second = { user: 'user-2', connection: 'connection-2' }

/** Both are asked, and the first one authorizes. */
const completed = (say: (t: Recording) => Recording = (t) => t) =>
  say(
    recording().agreed().begin(second).elicit().answer('accept').on('call-1').authorized(),
  ).window()

const inconclusive: Cases['inconclusive'] = {
  'nothing was completed': recording().agreed().begin(second).elicit().window(),
  'only one was asked': recording().served().window(),
  'nobody watched': recording().agreed().begin(second).elicit().on('call-1').authorized(),
}

describeExamples(
  [twoSessions, laterSession],
  {
    'later-session': {
      'mcp-url-elicitation/server/complete-to-initiator': {
        pass: {
          'the initiator is told': recording().served().complete().window(),
          'nobody is told': recording().served().window(),
        },
        violation: {
          'the later one is told': recording()
            .served()
            .complete(undefined, 'connection-2')
            .window(),
        },
        inconclusive: {
          'nothing was completed': recording().agreed().window(),
          'nobody watched': recording().served(),
        },
      },
    },
    'two-sessions': {
      'mcp-url-elicitation/server/complete-to-initiator': {
        pass: {
          'the initiator is told': completed((t) => t.complete()),
          'nobody is told': completed(),
          'an id of nobody is for complete-id': completed((t) => t.complete('x', 'connection-2')),
        },
        violation: {
          'the other one is told': completed((t) => t.complete(undefined, 'connection-2')),
          'another client of the same user is told': completed((t) =>
            t.complete().complete(undefined, 'connection-0'),
          ),
          'of the other one, too': completed((t) =>
            t.complete('elicitation of call-2', 'connection-1'),
          ),
          'everybody is told': completed((t) => t.complete().complete(undefined, 'connection-2')),
        },
        inconclusive,
      },
      'mcp-url-elicitation/server/complete-id': {
        pass: {
          'the id that was given': completed((t) => t.complete()),
          'nobody is told': completed(),
        },
        violation: {
          'another id': completed((t) => t.complete('x')),
          'no id': completed((t) => t.complete(null)),
          'an id of another type': completed((t) => t.complete(7)),
        },
        inconclusive,
      },
      'mcp-url-elicitation/server/complete-after': {
        pass: {
          'the one who authorized is told': completed((t) => t.complete()),
          'nobody is told': completed(),
        },
        violation: {
          'everybody is told of what they were asked': completed((t) =>
            t.complete().complete('elicitation of call-2', 'connection-2'),
          ),
          'the other one is told alone': completed((t) =>
            t.complete('elicitation of call-2', 'connection-2'),
          ),
        },
        inconclusive,
      },
    },
  },
  options,
)
