/**
 * Stands for a sign that was taken out before parsing, one code unit for one: SUBSTITUTE, a control character of ASCII
 * that no page has a use for. Outside of angle brackets and HTML no destination can hold it (CommonMark 6.3).
 */
export const UNREAD_MARK = '\u{1a}';
