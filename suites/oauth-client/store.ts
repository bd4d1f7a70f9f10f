/** How a vendor names what tokens are kept in. */

import { z } from 'zod'

/** A file or folder, or a command that prints what is kept. */
export const storeSchema = z.union([
  z.string().min(1),
  z.strictObject({ command: z.array(z.string()).min(1) }),
])

export type StoreConfiguration = z.infer<typeof storeSchema>
