import { gunzipSync } from 'node:zlib'

import { expect, test } from 'vitest'

import { withoutReleased } from './sqlite-content.ts'

/**
 * Databases with pages of 512 bytes, as sqlite3 of Python left them: five records, four of which hold "stays-", a fifth one that
 * held "url-released" and was changed, and a sixth one that held it and was deleted.
 */
const written = {
  plain:
    'H4sIAAAAAAACA+2SsUvDQBTG38slpSmU4BBKtuum0IamUhActEq3LmrBScIZTy1JkzQ5NflbuvgXiYu4uruLo0lKFYtoViE/ePC9u4+74ftOjsZTwellEM2YoNsgASLsUwoAajYEvsBs5LX9L1QwHWziO0i4AFzgE1SUZQdrLU1DJti5xx1HOjweDScjOhkejEfU2XSp4ImgYTSdsSilLk879LY422pLtdZAQ5j6FzyJ516WsM1uRFDstmNbTp5rPf+kmY2Cu4CPeI8hnmWy4mcGaztViL7nsVjMvxMLlsbd/GJDJnr7KvB5fB1EokP94M4kxDh1eSi6/eRXlq/0TWnlt8r4LRNX/l4Zf69R5P8A+Ixv+Iovmaz4t9SJjnnxlFzkxZMbxMBl3cintCSVGOqyJB9uN4FPAAYAAA==',
  database:
    'H4sIAAAAAAACAwsO9MksSVVIyy/KTSxRMGZgYmBiYnBQUGBgYGCEYkoAI4NeMiMviMXEMAoGIQAAQ3ZUtwACAAA=',
  log: 'H4sIAAAAAAACA+2ce0xTVxzH76MttKW0oAzJ5nZxmwKjDpCOiTpB0uicm4OhEDGQUopD+pD2ltFGh1sykWlE5mMjbGFzuuHUaeZ4uEX9R+LMDCbKrAkajXNR3HS6Meacj91zS/FeEi1DYmjP75OGtqeUkN/50t/59EeaVi17l9CeH0cQFIHocMs3q8Ztv7K0a8UpTZ7lfW6JFK63/6wu+qpA/sQb2fPKWBNTarNbDCwzhXs2RREZDEN4fxBN3AM9XzLovj8oYrKRVJE3CIpsJMhG8icCGCovkrJotZo0sIZis8lopLJy9Jm5eiY3c9Y8PWOMK2dYUxXLLLOXWQx2F1NuciUylfxafCwli9apSaLMWmKqclSYuR0uMjhZG3+/yFiUbET7GjqwR4JcLGhpbUyKSutTDTwCYArKCO3LRSxD20/JO50KyAXuiPrIa1u3fcqm7Vngp4+EQB/Bq4+kkx/m3D7U24P6CEkeJ7gLEBTUGUhJTNO0ctMyVptU9SD6/85pYS6O/aL8Pmf2+ecVfC76CO4CYIOcjpF7g+PrAb5cnPlocdN3690fc0vSKgBb0P4LczGWtlJWaccubkkG1cE6FzJhLiZenFDtqfmhAJ0toTpY5wK5RYgvFwevHui9+VtKPcoKVCegcbAGl4M/KYyAp25Ydbr524N3n/LjqUrwVLw8de0f9fF1qeu1yFMpcivnqdwXYJSaJzVgnsn+ukLow3nqMzvz6psaEuoVfC5+5TyV+wIEMwo6hvRmixJ5aqgwF6F2revJv283I5mFFo31uVMuzEU88+Pc/LbD81GOoDpY50IhzMXN2tL9UyyX0XsaSqgO1rlAbqH05cJidW9uOCy/DZ4aJJ6aPDKeat07lSm2tTf48VQ1eCpenvp5z5ruzden5yNPpclK3lO5K+ARmSc94JIp/l7nwx6lp+qU7+S37Xj7ioLPxTneU7krIFjlNIW+n6eGCXORvCX+uZVHTrZwSypo0VifO1XCXEz/xN3TuDu9mFsKh+pgnYtwYS5OJk1aeXeuuwedLaE6WOcCuYXal4sG58Qqz1/lL4CnBomnpoyMp5KpWSeunb282o+njgFPxctTt9jayD2bxl9Dhw4JOaffU7kbwPDMs0QiiWrSL7FZTa4Hw32zZvR66tWrn+nOkel1Cj4XHoL0gKkGEaF0FIkyKhmCp2qEuUivVbaN/abVwS1FuABsQfsvzMXrt3amVVkv6bmlSKgO1rmIFObidLdHJ/PoJ6GzJVQH61wgtxjjy8WXj7XOnvDnvqUoK1CdAMZpN2vtJrPJ4DCVjICnzsxfuCIjZbdpCJ6q6T+3gqdi4KnmmKbs1IS+TV5PNfo81QjbMWwm32c9QkJHxSI5cLxps7OJjNX21qjyVJGPnOigW4p1cRv7f3e6/1waOei9LCD4EfnIv2GpC2P3F8yGsmCPyEecO9bNmKFdEwNlwR6Rj4zdXxh/90JBIpQFe0Q+Upulrku2rNsGczPwEWEuqi3rjh15pbsT+YiU1A34CHcT8DskK5VyR35+SKZNEb6B4B4MOtaNdh8Rzc1qNi68mDDr7AEFn4ujaG52FCZngQ0ajHmzKh323Kzm2Q3tGTJZGVpzA8HCQ3uq067KCw9di+apkVBOrIMk8tQ4+4VpSyQvr0JnS6gO1rkQeWpXZcgl1fbHLai/QHWwzoXIU/clzdxYVt0eMgRPjYC5GT6eejDznxXNia6ewXMz8NSHG5IF4NxM5KlzrJ7CM/Kci4P/vxM8NaDxfR7asD01bBW7q/xWxHUoJfaIPPWGp/v6oeMhXf2P0cS9GbsGSoUVIk+ddy433K6bvwPKgj0iT828fLYn6+vx26As2CPy1F7ZoTu7nu74YoieSoGn4uGp2YvfW673bCmEeeowqHFLJVF1FWaDg614MKh9B5SnWtNfdR04P7XDO0/tvOepnbDtgQvSU5TW/zVPFflIy/LoBRGLyMWCnqABHwEfGffSnQ+ulSTw59EKAFsG+0jtouSEvb+X8J/DCNUJIryfkoKayZBeLP4DpnZErnh3AAA=',
  auto: 'H4sIAAAAAAACA+2Zv04CQRDGd+4OhEM4ISGEbuk0QSMYEhMb0dDRqPRkPU8l/DngVgRfwJIHoLDxeSxMjK29vbH0BvDsgNCdN79kJ7OTzRXfN7tT3MVZtSEtfm3320LyA6YwAHbMOWNMd1eK/QHu0ua5Nt8vQ2d7JsThmykwYTCBN0asyiGEM4YBQorLlmWa6ul5pVyr8Fr5pFrh5naTS2soebffaIv+iDetUZ4PprWdnBLOlAxgjc6VNXR6LdfhuriT9nRfN+sFE/2L/Jo6CyourIcwhDFseLUoBh1DzKvFMSQwGF4tqeCnFDLPL8TRcCgxeIVnGIDppsQyHh9CWnrcawlH9haDVyKpqencjd2xnFu7L/O8Y9+Phapln46aVlfuFoeLQIvGQvFOF5adjo4FeKf3l50O6VP/Xxi8wxd8woebEr4loqYBuzKECbacpqtZmLWZ6qUFJapmo7MGwad+SAQWnPKkQqD9j5AKgfafkQq+xpFi5Ewn+XroJGGg73+MVAi0/5ukAs1/wufzv7D2/E+QhIG+/wapEGj/t0gFmv+Ez+d/ce35n+oRgQUbgFT4R8xeA/wJuNLl/wG52NTFACQAAA==',
}

const file = (path: string, bytes: string | Buffer) => {
  const content = typeof bytes === 'string' ? gunzipSync(Buffer.from(bytes, 'base64')) : bytes
  return { path, content, size: content.length, modified: 0 }
}

const count = (files: readonly { content: Buffer }[], text: string): number =>
  files.reduce((sum, { content }) => sum + content.toString('latin1').split(text).length - 1, 0)

test.each([
  ['one page', [file('a.db', written.plain)]],
  ['pages that overflow, with auto-vacuum', [file('a.db', written.auto)]],
  ['a log', [file('a.db', written.database), file('a.db-wal', written.log)]],
])('of a database with %s what its records hold is left', (_, files) => {
  const left = withoutReleased(files)
  expect(left.map(({ path }) => path)).toEqual(['a.db'])
  expect(count(left, 'stays-')).toBe(4)
  expect(count(left, 'short, now')).toBe(1)
  expect(count(left, 'url-released')).toBe(0)
})

test('the log holds what was released', () => {
  expect(count([file('a.db-wal', written.log)], 'url-released')).toBe(2)
})

test('what is no database is left as it is, and so is a database that is cut off', () => {
  const files = [
    file('b.db-wal', Buffer.from('beside no database')),
    file('c.json', Buffer.from('{}')),
    file('d.db', gunzipSync(Buffer.from(written.plain, 'base64')).subarray(0, 60)),
  ]
  expect(withoutReleased(files)).toEqual(files)
})
