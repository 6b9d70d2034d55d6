/** No controls and no spaces or marks that YAML may take for more than text; characters beyond the first plane neither. */
const PRINTABLE = /^[\n -~\u00a1-\u2027\u202a-\u2fff\u3001-\ud7ff\uf900-\ufefe\uff00-\uffef]*$/;

/**
 * A key of word characters, and a value that YAML takes as it stands: plain text that begins with a letter, without what
 * means something to YAML inside a line (`: `, ` #`), or text in quotes without escapes.
 */
const LINE =
  /^([A-Za-z][\w-]*): +(?:([A-Za-z](?:[^\n:#]|:(?=[^ \n])|(?<=[^ ])#)*)|"([^"\\\n]*)"|'([^'\n]*)') *$/;

/** Words that are no text, as keys or as values (https://yaml.org/spec/1.2.2/#103-core-schema). */
const WORDS = /^(?:null|true|false)$/i;

/**
 * Reads front matter that is one `key: value` with plain text on each line, as most is; null for any other, which a
 * parser of YAML must read. Answers just what it would answer.
 */
export function readPlainYaml(yaml: string): Readonly<Record<string, string>> | null {
  if (!PRINTABLE.test(yaml)) return null;
  const values: Record<string, string> = {};
  for (const line of yaml.split('\n')) {
    const [, key = '', plain, double, single] = LINE.exec(line) ?? [];
    if (key === '' || WORDS.test(key) || Object.hasOwn(values, key)) return null;
    if (plain !== undefined && WORDS.test(plain.trimEnd())) return null;
    values[key] = plain?.trimEnd() ?? double ?? single ?? '';
  }
  return values;
}
