/** Plays the main use case: a push becomes pages, a pull request gets its report, a fix makes it pass. */
import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Octokit } from '@octokit/rest';
import { createClient, operations } from '../../client/index.ts';
import { createHttp } from '../../net/index.ts';
import type { Environment } from '../../server/config/index.ts';
import { nameOrganization } from './name-organization.ts';
import type { Narrator } from './narrator.ts';
import { type ObservedRepository, waitForCheck, waitForStatuses } from './observe.ts';
import type { Stage } from './open-stage.ts';
import { gitIn } from './run-git.ts';
import { runDocloom } from './start-docloom.ts';
import { BREAKING, type Chapter, FIX, writeEdits } from './story.ts';

/** The demo's last line. */
export interface StoryOutcome {
  readonly ok: boolean;
  readonly push: {
    readonly pages: number;
    readonly links: { readonly total: number; readonly broken: number };
    readonly pushToStatusMs: number;
  };
  readonly pullRequest: {
    readonly conclusion: string | null;
    readonly annotations: number;
    readonly introduced: number;
    readonly untouchedFiles: number;
  };
  readonly mended: { readonly conclusion: string | null };
  /** Where everybody can read the docs. */
  readonly site: { readonly url: string };
}

export interface Played {
  readonly outcome: StoryOutcome;
  readonly repository: ObservedRepository;
  readonly cloneUrl: string;
  readonly pullNumber: number;
  readonly reportUrl: string | null;
  /** API tokens of the platform, and of the forge's user. */
  readonly platformToken: string;
  readonly userToken: string;
}

const OWNER = 'lantern';
const NAME = 'docs';

export async function playStory(stage: Stage, narrator: Narrator, signal: AbortSignal): Promise<Played> {
  const { forge } = stage;
  const user = forge.createUser(OWNER);
  const { cloneUrl } = await forge.createRepository({ owner: OWNER, name: NAME });
  forge.installApp({ owner: OWNER, repositories: 'all' });
  const octokit = new Octokit({ auth: user.token, baseUrl: forge.apiUrl });
  const repository = { owner: OWNER, repo: NAME };
  const withToken = cloneUrl.replace('://', `://${OWNER}:${user.token}@`);

  const platformToken = await narrator.step('docloom token create --name demo', () =>
    createApiToken(stage.env),
  );
  await nameOrganization(stage.url, platformToken, OWNER);

  narrator.say(`\n1. A push becomes pages, and a site`);
  const workTree = join(stage.folder, 'work-tree');
  await narrator.step(`git clone ${cloneUrl}`, () =>
    gitIn(stage.folder)('clone', '--quiet', withToken, workTree),
  );
  const git = gitIn(workTree);
  await cp(sampleDocs(), workTree, { recursive: true });
  const mainOid = await narrator.step('git push of the sample docs', () =>
    commitAndPush(git, 'Write the docs of Lantern', 'main'),
  );
  const pushed = performance.now();
  const statuses = await narrator.step(
    'the commit gets its statuses',
    () => waitForStatuses(octokit, repository, mainOid, 3, signal),
    (all) => `${all.length}`,
  );
  const pushToStatusMs = Math.round(performance.now() - pushed);
  for (const status of statuses)
    narrator.say(`           ${status.state}  ${status.context}: ${status.description}`);
  const push = await narrator.step(
    'query the platform for its content',
    () => countContent(stage.url, platformToken),
    ({ pages, links }) => `${pages} pages, ${links.total} links, ${links.broken} broken (it was so before)`,
  );
  const siteUrl = await narrator.step(
    'read the site, as everybody can',
    () => openSite(statuses),
    (address) => address,
  );

  narrator.say(`\n2. A pull request that breaks links, also in files that it does not touch`);
  await git('switch', '--quiet', '--create', BREAKING.branch);
  const breakingOid = await narrator.step(describe(BREAKING), () => play(BREAKING, workTree, git));
  const { data: pull } = await octokit.pulls.create({
    ...repository,
    base: 'main',
    head: BREAKING.branch,
    title: BREAKING.title,
  });
  const failing = await narrator.step(
    `pull request #${pull.number} gets its check`,
    () => waitForCheck(octokit, repository, breakingOid, signal),
    (check) => `${check.conclusion}, ${check.output.title}`,
  );
  for (const { path, start_line: line, message } of failing.annotations)
    narrator.say(`           ${path}:${line}  ${message?.split('\n')[0]}`);
  const changed = await octokit.paginate(octokit.pulls.listFiles, {
    ...repository,
    pull_number: pull.number,
    per_page: 100,
  });
  const touched = new Set(
    changed.flatMap((file) => [file.filename, file.previous_filename ?? file.filename]),
  );
  const untouched = new Set(failing.annotations.map(({ path }) => path).filter((path) => !touched.has(path)));
  narrator.say(
    `           ${failing.annotations.length} annotations; ${untouched.size} of their files are not part of the pull request`,
  );

  narrator.say(`
3. The fix`);
  const fixedOid = await narrator.step(describe(FIX), () => play(FIX, workTree, git));
  const passing = await narrator.step(
    'the check of the new commit',
    () => waitForCheck(octokit, repository, fixedOid, signal),
    (check) => `${check.conclusion}, ${check.output.title}`,
  );

  const pullRequest = {
    conclusion: failing.conclusion,
    annotations: failing.annotations.length,
    introduced: failing.annotations.filter(({ annotation_level }) => annotation_level === 'failure').length,
    untouchedFiles: untouched.size,
  };
  const fixed = { conclusion: passing.conclusion };
  const ok =
    statuses.every((status) => status.state === 'success') &&
    push.links.broken === 1 &&
    pullRequest.conclusion === 'failure' &&
    pullRequest.untouchedFiles > 0 &&
    fixed.conclusion === 'success' &&
    forge.unexpected.length === 0;
  const outcome = {
    ok,
    push: { ...push, pushToStatusMs },
    pullRequest,
    mended: fixed,
    site: { url: siteUrl },
  };
  return {
    outcome,
    repository,
    cloneUrl,
    pullNumber: pull.number,
    reportUrl: failing.details_url,
    platformToken,
    userToken: user.token,
  };
}

/** Reads the site to which the commit's status leads, and returns its address. */
async function openSite(statuses: Awaited<ReturnType<typeof waitForStatuses>>): Promise<string> {
  const status = statuses.find(({ context }) => context === 'docloom/site: Lantern');
  if (status?.target_url == null) throw new Error('The commit has no status about its site.');
  const answer = await fetch(status.target_url);
  if (!answer.ok) throw new Error(`The site at ${status.target_url} answered ${answer.status}.`);
  return answer.url;
}

type Git = ReturnType<typeof gitIn>;

async function play(chapter: Chapter, workTree: string, git: Git): Promise<string> {
  await writeEdits(workTree, chapter.edits, git);
  return await commitAndPush(git, chapter.title, chapter.branch);
}

async function commitAndPush(git: Git, message: string, branch: string): Promise<string> {
  await git('add', '--all');
  await git('commit', '--quiet', '--message', message);
  await git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
  return await git('rev-parse', 'HEAD');
}

function describe({ edits }: Chapter): string {
  const count = (kind: string) => edits.filter((edit) => edit.kind === kind).length;
  const words = { delete: 'delete', rename: 'rename', replace: 'edit' };
  const parts = Object.entries(words).flatMap(([kind, verb]) =>
    count(kind) > 0 ? [`${verb} ${count(kind)}`] : [],
  );
  return `${parts.join(', ')}, commit, git push`;
}

async function createApiToken(env: Environment): Promise<string> {
  const printed = await runDocloom(['token', 'create', '--name', 'demo', '--role', 'admin'], env);
  const token = /\bdl_[0-9A-Za-z]+\b/.exec(printed)?.[0];
  if (!token) throw new Error('docloom token create printed no token.');
  return token;
}

async function countContent(
  baseUrl: string,
  token: string,
): Promise<Omit<StoryOutcome['push'], 'pushToStatusMs'>> {
  const http = createHttp({ userAgent: 'docloom-demo' });
  const client = createClient({ baseUrl, token, http });
  try {
    let [pages, total, broken] = [0, 0, 0];
    for await (const organization of client.paginate(operations.listOrganizations, {})) {
      for await (const space of client.paginate(operations.listSpaces, {
        params: { organizationId: organization.id },
      })) {
        const params = { spaceId: space.id };
        pages += countPages((await client.call(operations.listPages, { params })).pages);
        const { stats } = await client.call(operations.listLinks, { params, query: { limit: 1 } });
        total += stats.total;
        broken += stats.broken.total;
      }
    }
    return { pages, links: { total, broken } };
  } finally {
    await http.close();
  }
}

interface PageTree {
  readonly type?: string;
  readonly pages?: readonly PageTree[];
}

function countPages(pages: readonly PageTree[]): number {
  return pages.reduce(
    (sum, page) => sum + (page.type === 'document' ? 1 : 0) + countPages(page.pages ?? []),
    0,
  );
}

/** The sample docs that the demo pushes. */
function sampleDocs(): string {
  const folder = fileURLToPath(new URL('../../../fixtures/demo', import.meta.url));
  if (!existsSync(folder))
    throw new Error(`The sample docs are missing at ${folder}: run the demo from a full clone.`);
  return folder;
}
