/** What its author tells a conformance run of this manager: the tools of its planner, and what it declares. */

export const conformance = {
  operation: { name: 'items_list', arguments: { search: 'Welcome' } },
  others: {
    secondProvider: { name: 'notes_list', arguments: {} },
    unknownProvider: { name: 'mails_list', arguments: {} },
  },
  declares: { durable: true, clock: true, durableFlows: true },
}
