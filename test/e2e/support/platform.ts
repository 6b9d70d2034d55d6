import { Writable } from 'node:stream';
import { runToken } from '../../../src/cli/commands/token.ts';
import type { Stage } from '../../../src/cli/demo/open-stage.ts';
import { createClient, operations, type PlatformClient } from '../../../src/client/index.ts';
import { createHttp } from '../../../src/net/http.ts';

export interface Platform {
  readonly client: PlatformClient;
  readonly token: string;
  readonly organizationId: string;
}

/** The platform of a stage, as the operator with a new token sees it. */
export async function openPlatform(stage: Stage): Promise<Platform> {
  const token = await createToken(stage);
  const client = createClient({ baseUrl: stage.url, token, http: createHttp({ userAgent: 'docloom-test' }) });
  const { items } = await client.call(operations.listOrganizations, {});
  return { client, token, organizationId: items[0]?.id ?? '' };
}

/** The one space of this title. Throws when there is none, or a twin. */
export async function findSpace(
  { client, organizationId }: Platform,
  title: string,
): Promise<{ id: string; revision?: string }> {
  const found = [];
  for await (const space of client.paginate(operations.listSpaces, { params: { organizationId } })) {
    if (space.title === title) found.push(space);
  }
  if (found.length !== 1) throw new Error(`There are ${found.length} spaces titled ${title}.`);
  return found[0] as { id: string; revision?: string };
}

/** A space's git operations, newest first. */
export async function listOperations({ client }: Platform, spaceId: string) {
  return (await client.call(operations.listGitOperations, { params: { spaceId } })).items;
}

/** `docloom token create --role admin`, without the process: loading the program takes far longer than its work. */
async function createToken({ env }: Stage): Promise<string> {
  let printed = '';
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    printed += String(chunk);
    done();
  };
  const stdout = new Writable({ write }) as NodeJS.WriteStream;
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() }) as NodeJS.WriteStream;
  const { signal } = new AbortController();
  await runToken(
    'create',
    { name: 'test', role: 'admin' },
    { stdout, stderr, env, cwd: process.cwd(), signal },
  );
  return printed.trim();
}
