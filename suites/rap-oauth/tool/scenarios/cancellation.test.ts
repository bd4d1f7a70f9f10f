import { describeChecks, recording, type Recording } from '../testing.ts'
import { cancelledElsewhere } from './cancellation.ts'

const asked = (status = 200) => recording().asked().notify(status)
const back = (t: Recording) => t.callback({ code: 'c', state: 's' })

describeChecks(cancelledElsewhere, {
  'rap-oauth/tool/cancel-in-thread': {
    pass: { 'it goes on': back(asked()).upstream('/token').grant().access().result() },
    violation: {
      'it ends at once': asked().result('Error: cancelled'),
      'it ends at once, and the user comes back': back(asked().result('Error: cancelled')),
      'its link is dead': back(asked()).gaveUp(),
      'its user is told so afterwards': back(asked()).result('Error: unknown'),
    },
    inconclusive: {
      'nobody was notified': back(recording().asked()).result('Error: no'),
      'nobody came back': asked().gaveUp(),
      'it may have timed out': asked().after(5000).result('Error: timed out'),
      'nobody waited': back(asked()),
    },
  },
})
