/** Loaded before a server (`node --import`): every request reaches it only after DELAY_MS. */

import { Server } from 'node:http'

const delayMs = Number(process.env.DELAY_MS)
const { emit } = Server.prototype

Server.prototype.emit = function (event, ...rest) {
  if (event !== 'request') return emit.call(this, event, ...rest)
  setTimeout(() => emit.call(this, event, ...rest), delayMs)
  return true
}
