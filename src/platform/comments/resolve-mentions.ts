import type { Document, DocumentNodeResource } from '../../contract/index.ts';
import { type Db, findMembersByName, type MemberView, type SpaceRow } from '../../store/index.ts';
import { listParticipants } from './list-participants.ts';

/** The most users whom one text mentions; further names stay text. */
export const MAX_MENTIONS = 20;

/** The most words that a name is looked for in. */
const MAX_WORDS = 5;

/** `@` at the beginning of a word, with the text in which a name may follow. */
const AT = /(?<![\p{L}\p{N}_@./-])@(?=[\p{L}\p{N}])/gu;
const WORD = /^[\p{L}\p{N}][\p{L}\p{N}'’_-]*/u;
const EMAIL = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+/;

type Node = DocumentNodeResource;

/** A place in a text that may name a member. */
interface Candidate {
  /** What the name may be, the longest first: as written, and as names are compared. */
  readonly names: readonly { readonly written: string; readonly key: string }[];
}

/**
 * Turns what names members into mentions: `@` with a name or an e-mail address, and links to `@<user id>`, which is how
 * mentions are written in Markdown. Only members who take part in the discussions of the space are mentioned, and no name
 * that several of them have; everything else stays text.
 */
export async function resolveMentions(
  db: Db,
  space: SpaceRow,
  document: Document,
): Promise<{ readonly document: Document; readonly mentions: readonly string[] }> {
  const ids = new Set<string>();
  const keys = new Set<string>();
  walk(document.nodes, (node) => {
    const id = mentionedBy(node);
    if (id !== null && ids.size < MAX_MENTIONS) ids.add(id);
    for (const { text } of plainLeaves(node)) {
      for (const { names } of candidatesIn(text).values()) {
        if (keys.size < MAX_MENTIONS * MAX_WORDS) for (const { key } of names) keys.add(key);
      }
    }
  });
  if (ids.size === 0 && keys.size === 0) return { document, mentions: [] };
  const named = await findMembersByName(db, space.organizationId, [...keys]);
  const members = await listParticipants(db, space, [
    ...new Set([...ids, ...named.map(({ member }) => member.userId)]),
  ]);
  const byId = new Map(members.map((view) => [view.member.userId, view]));
  const byKey = Map.groupBy(
    members.flatMap((view) => [
      { key: keyOfName(view.user.displayName), view },
      { key: view.user.email, view },
    ]),
    ({ key }) => key,
  );
  const mentions = new Set<string>();
  const mention = (view: MemberView, key: string): Node => {
    mentions.add(view.member.userId);
    const text = { object: 'leaf' as const, text: `@${view.user.displayName}`, marks: [] };
    return {
      object: 'inline',
      type: 'mention',
      key,
      isVoid: true,
      data: { ref: { kind: 'user', user: view.member.userId } },
      nodes: [{ object: 'text', key: `${key}t`, leaves: [text] }],
    };
  };
  const nodes = rewrite(document.nodes, (node) => {
    const id = mentionedBy(node);
    if (id !== null) {
      const view = byId.get(id);
      return view === undefined ? (node.nodes ?? []) : [mention(view, node.key)];
    }
    return node.object === 'text' ? splitText(node, byKey, mention) : null;
  });
  return { document: { ...document, nodes }, mentions: [...mentions] };
}

/** A text without the names in it, and the mentions of them; null where it names nobody. */
function splitText(
  node: Node,
  byKey: ReadonlyMap<string, readonly { readonly view: MemberView }[]>,
  mention: (view: MemberView, key: string) => Node,
): Node[] | null {
  const parts: Node[] = [];
  let leaves: NonNullable<Node['leaves']> = [];
  let count = 0;
  const keyOf = () => `${node.key}m${count++}`;
  const flush = () => {
    if (leaves.length > 0) parts.push({ ...node, key: keyOf(), leaves });
    leaves = [];
  };
  for (const leaf of node.leaves ?? []) {
    let from = 0;
    const isPlain = !leaf.marks.some(({ type }) => type === 'code');
    for (const [at, { names }] of isPlain ? candidatesIn(leaf.text) : []) {
      if (at < from) continue;
      const found = names.find(({ key }) => byKey.get(key)?.length === 1);
      const view = found === undefined ? undefined : byKey.get(found.key)?.[0]?.view;
      if (found === undefined || view === undefined) continue;
      if (at > from) leaves.push({ ...leaf, text: leaf.text.slice(from, at) });
      flush();
      parts.push(mention(view, keyOf()));
      from = at + 1 + found.written.length;
    }
    if (from < leaf.text.length) leaves.push({ ...leaf, text: leaf.text.slice(from) });
  }
  if (parts.length === 0) return null;
  flush();
  return parts;
}

/** The places of a text that may name members, by where their `@` is. */
function candidatesIn(text: string): ReadonlyMap<number, Candidate> {
  const found = new Map<number, Candidate>();
  for (const { index } of text.matchAll(AT)) {
    if (found.size >= MAX_MENTIONS) break;
    const rest = text.slice(index + 1, index + 200);
    const email = EMAIL.exec(rest)?.[0];
    const names = email === undefined ? [] : [{ written: email, key: email.toLowerCase() }];
    let end = 0;
    for (let words = 0; words < MAX_WORDS; words += 1) {
      const gap = words === 0 ? '' : (/^[ .]/.exec(rest.slice(end))?.[0] ?? null);
      const word = gap === null ? null : (WORD.exec(rest.slice(end + gap.length))?.[0] ?? null);
      if (gap === null || word === null) break;
      end += gap.length + word.length;
      const written = rest.slice(0, end);
      names.splice(email === undefined ? 0 : 1, 0, { written, key: keyOfName(written) });
    }
    found.set(index, { names });
  }
  return found;
}

/** Names are compared without case and spaces, so that `@AdaLovelace` and `@ada.lovelace` name Ada Lovelace, too. */
function keyOfName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s._-]+/g, '');
}

/** The user whom a link to `@<id>` mentions. */
function mentionedBy(node: Node): string | null {
  if (node.object !== 'inline' || node.type !== 'link') return null;
  const ref = node.data?.['ref'] as { readonly kind?: unknown; readonly url?: unknown } | undefined;
  const match = ref?.kind === 'url' ? /^@([A-Za-z0-9_-]{1,100})$/.exec(String(ref.url)) : null;
  return match?.[1] ?? null;
}

function plainLeaves(node: Node) {
  if (node.object !== 'text') return [];
  return (node.leaves ?? []).filter(({ marks }) => !marks.some(({ type }) => type === 'code'));
}

/** Whether the texts inside of a node are not prose. */
function isLiteral({ type }: Node): boolean {
  return type === 'code' || type === 'link' || type === 'math' || type === 'inline-math';
}

function walk(nodes: readonly Node[], visit: (node: Node) => void): void {
  for (const node of nodes) {
    visit(node);
    if (!isLiteral(node)) walk([...(node.nodes ?? []), ...(node.fragments ?? [])], visit);
  }
}

/** Replaces nodes; null leaves one, with what is inside of it replaced. */
function rewrite(nodes: readonly Node[], replace: (node: Node) => Node[] | null): Node[] {
  return nodes.flatMap((node) => {
    const replaced = replace(node);
    if (replaced !== null) return replaced;
    if (isLiteral(node)) return [node];
    return [
      {
        ...node,
        ...(node.nodes === undefined ? {} : { nodes: rewrite(node.nodes, replace) }),
        ...(node.fragments === undefined ? {} : { fragments: rewrite(node.fragments, replace) }),
      },
    ];
  });
}
