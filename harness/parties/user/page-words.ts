/** What somebody who wants to go on reads on a button, a form or a link. */

import type { Element } from './markup.ts'

const words = (...each: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${each.join('|')})(?![\\p{L}\\p{N}])`, 'iu')

/** Chinese and Japanese are written without blanks. */
const unspaced = (...each: readonly string[]): RegExp => new RegExp(each.join('|'), 'u')

const away = [
  words(
    'cancel(?:ed|led)?|abort|deny|denied|decline|reject|refuse|dismiss|disagree|back|no|not now|later|don.t',
    'home|help|privacy|terms|imprint|about|(?:log|sign) ?out|switch account',
    'abmelden|ausloggen|(?:se )?déconnecter|déconnexion|cerrar sesión|sair|disconnetti|esci|uitloggen|afmelden',
    'abbrechen|ablehnen|zurück|nein|annuler|refuser|retour|non|cancelar|rechazar|recusar|atrás|annulla|rifiuta|annuleren',
  ),
  unspaced('ログアウト|退出|登出|注销|キャンセル|拒否|戻る|取消|拒绝|拒絕|返回'),
]

const onwards = [
  words(
    'continue|connect|link|authori[sz]e|allow|approve|accept|agree|grant|proceed|go on|next|yes|start|(?:log|sign) ?in',
    'weiter|verbinden|zulassen|zustimmen|anmelden|continuer|autoriser|connecter|continuar|autorizar|conectar|continua',
  ),
  unspaced('続行|続ける|許可|接続|继续|繼續|允许|允許|连接|連接'),
]

const confirmation = [
  words(
    'confirm|yes|ok|correct|finish|complete|continue|proceed|allow|approve|accept|agree|grant',
    'bestätigen|ja|weiter|fertig|confirmer|oui|terminer|continuer|confirmar|sí|sim|continuar|conferma|bevestigen',
  ),
  unspaced('確認|はい|続行|確定|确认|继续'),
]

/** Whether it says that something is as it should be. */
export function confirms(element: Element): boolean {
  return says(element, confirmation) && !leadsAway(element)
}

/** Whether it says that one does not go on by it. */
export function leadsAway(element: Element): boolean {
  return says(element, away)
}

/** Whether it says that one goes on by it. */
export function leadsOnwards(element: Element): boolean {
  return says(element, onwards)
}

function says(element: Element, patterns: readonly RegExp[]): boolean {
  const said = saidBy(element)
  return patterns.some((pattern) => said.some((text) => pattern.test(text)))
}

/** What it says; where it says nothing, what it is called. */
function saidBy(element: Element): readonly string[] {
  const { attribute, elements } = element
  const shown = [element, ...elements].map(({ text }) => text).join(' ')
  // A value is the face of an input; of a button it is only sent.
  const face = element.name === 'input' ? (attribute('value') ?? '') : ''
  const said = [shown, face, attribute('aria-label') ?? '', attribute('title') ?? '']
  if (said.some((each) => /[\p{L}\p{N}]/u.test(each))) return said
  return [attribute('value') ?? '', attribute('name') ?? '', attribute('id') ?? '']
}
