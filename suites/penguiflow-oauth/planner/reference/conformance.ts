/** What its author tells a conformance run of this planner: its tools, and what it declares. */

export const conformance = {
  operation: { name: 'items_list', arguments: { search: 'Welcome' } },
  others: { secondProvider: { name: 'notes_list', arguments: {} } },
  declares: { durable: true },
}
