/**
 * What a terminal would obey, hide or reorder: control, format and bidirectional characters, invisible letters and
 * marks, line separators; a line feed is none of them.
 */
const INVISIBLE = '[[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]--\\n]'
/** Many emoji are joined by invisible characters, so whole emoji are matched first. */
const EMOJI_OR_INVISIBLE = new RegExp(`\\p{RGI_Emoji}|(${INVISIBLE})`, 'gv')

/** Escapes invisible characters as JSON does (`\u202e`), so that JSON keeps its meaning. Emoji stay whole. */
export function escapeInvisible (text: string): string {
  return text.replace(EMOJI_OR_INVISIBLE, (found, invisible?: string) => (invisible ? escaped(invisible) : found))
}

function escaped (character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
