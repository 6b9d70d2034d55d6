/**
 * Replaces each character that is removed before parsing, one code unit for one: SUBSTITUTE, an ASCII control character
 * that no page uses. Outside angle brackets and HTML, no destination can contain it (CommonMark 6.3).
 */
export const UNREAD_MARK = '\u{1a}';
