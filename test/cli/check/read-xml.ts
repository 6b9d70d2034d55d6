export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** Reads the XML of a report, and throws for what is not well-formed: no comments, sections or instructions but the first. */
export function readXml(source: string): XmlElement {
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!source.startsWith(head)) throw new Error('There is no XML declaration.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 cannot hold.
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(source)) throw new Error('A character is not allowed.');
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const token = /<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
  token.lastIndex = head.length;
  while (token.lastIndex < source.length) {
    const at = token.lastIndex;
    const [, end, name = '', attributes = '', empty, words] = token.exec(source) ?? [];
    const parent = open.at(-1);
    if (parent === undefined || (name === '' && words === undefined))
      throw new Error(`Not well-formed at ${at}.`);
    if (words !== undefined) parent.text += decode(words);
    else if (end === '/') {
      if (open.pop()?.name !== name) throw new Error(`</${name}> closes another element.`);
    } else {
      const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)];
      const read = Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, decode(value)]));
      const element: XmlElement = { name, attributes: read, children: [], text: '' };
      parent.children.push(element);
      if (empty !== '/') open.push(element);
    }
  }
  const [only] = root.children;
  if (open.length !== 1 || only === undefined || root.children.length > 1)
    throw new Error('There is no one root.');
  return only;
}

function decode(text: string): string {
  if (/&(?!(?:amp|lt|gt|quot|#\d+);)/.test(text) || text.includes(']]>')) throw new Error('Not escaped.');
  return text
    .replace(/&#(\d+);/g, (_all, code) => String.fromCodePoint(Number(code)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
