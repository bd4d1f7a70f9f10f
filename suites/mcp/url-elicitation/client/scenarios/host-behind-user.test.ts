import { describeExamples } from '../../../../testing.ts'
import { options, recording } from '../testing.ts'
import { hostBehindUser } from './host-behind-user.ts'

const url = 'https://accounts.good.example@signin.evil.example/connect'
const ordinary = 'https://warehouse.example/connect'

/** The client was asked to open an ordinary URL, and has shown this; then it was asked to open the other one. */
const after = (text?: string) => {
  const asked = recording().asked({ url: ordinary })
  const prompted = text === undefined ? asked : asked.prompt(text).decide('decline').answer()
  return prompted.begin().attempt().elicit({ url })
}
const apart = () => after(`${ordinary}\n  Host: warehouse.example\nOpen it?`)

describeExamples(
  [hostBehindUser],
  {
    'host-behind-user': {
      'mcp-url-elicitation/client/show-host': {
        pass: {
          'apart, as that of the other one': apart().prompt(
            `${url}\n  Host: signin.evil.example\nOpen it?`,
          ),
          'within the URL alone': after(`${ordinary}\nOpen it?`).prompt(`${url}\nOpen it?`),
          'with a warning about the name before it': apart().prompt(
            `${url}\nThe name accounts.good.example before the @ is no host.\nOpen it?`,
          ),
          'it is refused': apart().refuse(),
          'the call ends with it': recording()
            .client({ url: {} }, { modern: true })
            .begin()
            .attempt()
            .inputAt(ordinary)
            .prompt()
            .begin()
            .attempt()
            .inputAt(url)
            .window(),
        },
        violation: {
          'the name before the @': apart().prompt(
            `${url}\n  Host: accounts.good.example\nOpen it?`,
          ),
          'that alone': after(`Host: warehouse.example`).prompt('Host: accounts.good.example'),
        },
        inconclusive: {
          'it was not asked': recording().asked({ url: ordinary }),
          'nobody was asked': apart(),
          'nobody was asked about the ordinary one': after().prompt(`${url}\nOpen it?`),
        },
      },
    },
  },
  options,
)
