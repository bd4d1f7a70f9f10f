/** What its author tells a conformance run of this client: its servers, how it is used, what it declares. */

export const conformance = {
  target: {
    env: {
      MCP_SERVERS: '{"{mcp.name}": {"url": "{mcp.url}"}, "{mcp.name2}": {"url": "{mcp.url2}"}}',
      // Where one of its defects keeps what it must not keep.
      DATA_DIR: '{data.dir}',
    },
  },
  drive: {
    terminal: {
      call: 'call {tool} {arguments}',
      prompt: 'Open it? [y]es, [n]o, [c]ancel: ',
      accept: 'y',
      decline: 'n',
      cancel: 'c',
    },
  },
  declares: { modern: true },
}
