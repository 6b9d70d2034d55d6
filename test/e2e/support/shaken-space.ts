/** One space and its branch, changed from both sides while the server is killed again and again. */
import type { Stage } from '../../../src/cli/demo/open-stage.ts';
import { prepareClusterLocation } from '../../../src/store/embedded/cluster-location.ts';
import { readPostmaster } from '../../../src/store/embedded/postmaster.ts';
import { type Author, cloneAs } from './author.ts';
import { openPlatform } from './platform.ts';

/** What a file may say at the end: all that was written to it since somebody heard that it was. */
type Expected = Map<string, Set<string>>;

export interface Operation {
  readonly id: string;
  readonly state: string;
  readonly direction: string;
  readonly skipped: boolean;
  readonly message?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface ShakenSpace {
  readonly author: Author;
  readonly expected: Expected;
  /** Files of which somebody heard that they are there. */
  readonly heard: ReadonlySet<string>;
  /** Asks the API; undefined when the server was not there to answer. */
  ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown } | undefined>;
  /** The same, until there is an answer. */
  insist(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  push(page: number, salt: string): Promise<void>;
  edit(page: number, salt: string): Promise<void>;
  sync(direction: 'import' | 'export', timestamp: Date, salt: string): Promise<void>;
  operations(): Promise<readonly Operation[]>;
  /** The text of each page as readers see it, by its path in the repository. */
  pages(): Promise<ReadonlyMap<string, string>>;
  killDatabase(): void;
  killServer(): Promise<void>;
}

export async function openShakenSpace(stage: Stage): Promise<ShakenSpace> {
  await stage.forge.createRepository({ owner: 'shaken', name: 'docs', private: true });
  const author = await cloneAs(stage, 'shaken', 'shaken/docs');
  const { token, organizationId } = await openPlatform(stage);
  const { token: login } = stage.forge.createUser('shaken');
  const url = `${stage.forge.url}/shaken/docs.git`.replace('://', `://shaken:${login}@`);
  const expected: Expected = new Map();
  const heard = new Set<string>();

  const ask: ShakenSpace['ask'] = async (method, path, body) => {
    try {
      const answer = await fetch(`${stage.url}/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return answer.status >= 500
        ? undefined
        : { status: answer.status, body: text === '' ? null : JSON.parse(text) };
    } catch {
      return undefined;
    }
  };
  const insist: ShakenSpace['insist'] = async (...request) => {
    for (;;) {
      const answer = await ask(...request);
      if (answer !== undefined) return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const made = await insist('POST', `/orgs/${organizationId}/spaces`, { title: 'Shaken' });
  const place = `/spaces/${(made.body as { id: string }).id}`;

  return {
    author,
    expected,
    heard,
    ask,
    insist,

    async push(page, salt) {
      const path = `docs/branch-${page}.md`;
      const text = `# Page ${page}\n\nFrom the branch, ${salt}.\n`;
      // Exports come between; a push is on top of them, as everybody's.
      for (;;) {
        await author.git('fetch', '--quiet', 'origin');
        await author.git('reset', '--quiet', '--hard', 'origin/main').catch(() => '');
        await author.commit({ [path]: text }, `Push ${salt}`);
        if (
          await author.push().then(
            () => true,
            () => false,
          )
        )
          break;
      }
      expected.set(path, new Set([text]));
      heard.add(path);
    },

    async edit(page, salt) {
      const path = `docs/edit-${page}.md`;
      const text = `# Edit ${page}\n\nFrom the platform, ${salt}.\n`;
      const begun = await ask('POST', `${place}/change-requests`, { body: {} });
      if (begun === undefined) return;
      const request = `${place}/change-requests/${(begun.body as { id: string }).id}`;
      const written = await ask('POST', `${request}/content`, { changes: [{ type: 'write', path, text }] });
      if (written?.status !== 200) return;
      // From here on it may be in the space, whether or not the answer comes.
      expected.set(path, new Set([...(expected.get(path) ?? []), text]));
      const merged = await ask('POST', `${request}/merge`);
      if (merged?.status !== 200) return;
      expected.set(path, new Set([text]));
      heard.add(path);
    },

    async sync(direction, timestamp, salt) {
      await ask('POST', `${place}/git/${direction}`, {
        url,
        ref: 'refs/heads/main',
        repoProjectDirectory: 'docs',
        timestamp: timestamp.toISOString(),
        ...(direction === 'export' ? { commitMessage: `Export ${salt}` } : {}),
      });
    },

    async operations() {
      const { body } = await insist('GET', `${place}/git/operations?limit=1000`);
      return (body as { items: readonly Operation[] }).items;
    },

    async pages() {
      const { body } = await insist('GET', `${place}/content/pages`);
      const texts = new Map<string, string>();
      type Listed = { id: string; git?: { path: string }; pages?: readonly Listed[] };
      const visit = async (page: Listed): Promise<void> => {
        if (page.git !== undefined) {
          const answer = await insist('GET', `${place}/content/page/${page.id}?format=markdown`);
          texts.set(page.git.path, (answer.body as { markdown: string }).markdown);
        }
        for (const below of page.pages ?? []) await visit(below);
      };
      for (const page of (body as { pages: readonly Listed[] }).pages) await visit(page);
      return texts;
    },

    killDatabase() {
      const server = readPostmaster(prepareClusterLocation(stage.env['DATA_DIR'] ?? '').data);
      if (server !== undefined) process.kill(server.pid, 'SIGKILL');
    },

    async killServer() {
      await stage.docloom().kill();
      await stage.restart();
    },
  };
}
