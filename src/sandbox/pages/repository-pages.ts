import { resolveRef } from '../api/resolve-ref.ts';
import { gitDirOf } from '../forge-context.ts';
import { readCommit } from '../git/read-commits.ts';
import { findTreeEntry, isTreePath, readBlob } from '../git/read-tree.ts';
import { repositoryUrls } from '../present/repository.ts';
import { accountById, fullName, repositoryById } from '../state/find-records.ts';
import type { PullRecord } from '../state/records.ts';
import { checkReport, commitState } from './check-report.ts';
import { frame, stateLabel } from './frame.ts';
import { html, type Markup } from './html.ts';
import type { PageAnswer, RepositoryPageCall } from './page.ts';

/** Pull requests shown on a repository's page, newest first. */
const MAX_PULLS = 200;

type Page = (call: RepositoryPageCall) => PageAnswer | Promise<PageAnswer>;

/** First part of the address after `/owner/name` → its page. */
export const repositoryPages: Readonly<Record<string, Page>> = {
  '': overview,
  pull: pullPage,
  commit: commitPage,
  runs: runPage,
  blob: filePage,
  raw: rawFile,
};

function trail(call: RepositoryPageCall): Markup[] {
  const name = fullName(call.context.data, call.repository);
  return [html`<a href="/${name}">${name}</a>`];
}

const pullState = (pull: PullRecord): string => (pull.mergedAt ? 'merged' : pull.state);

async function overview(call: RepositoryPageCall): Promise<PageAnswer> {
  const { context, repository } = call;
  const { fullName: name, clone } = repositoryUrls(context, repository);
  const branches = Object.entries(repository.refs).filter(([ref]) => ref.startsWith('refs/heads/'));
  const pulls = context.data.pulls.filter((pull) => pull.repositoryId === repository.id);
  return frame(
    name,
    [],
    html`<h1>${name}</h1>
<pre>git clone ${clone}</pre>
<h2>Branches</h2>
${branches.length === 0 ? html`<p class="soft">Nothing was pushed yet.</p>` : null}
<table>${branches.map(([ref, sha]) => {
      const state = commitState(context, repository, sha);
      const branch = ref.slice('refs/heads/'.length);
      return html`<tr><th scope="row">${branch}</th><td><a href="/${name}/commit/${sha}"><code>${sha.slice(0, 10)}</code></a></td>
<td>${state ? stateLabel(state) : html`<span class="soft">no status</span>`}</td></tr>`;
    })}</table>
<h2>Pull requests</h2>
${pulls.length === 0 ? html`<p class="soft">None yet.</p>` : null}
<table>${pulls
      .toReversed()
      .slice(0, MAX_PULLS)
      .map(
        (pull) => html`<tr><td>${stateLabel(pullState(pull))}</td>
<th scope="row"><a href="/${name}/pull/${pull.number}">#${pull.number} ${pull.title}</a></th>
<td>${runStates(call, pull.headSha)}</td></tr>`,
      )}</table>`,
  );
}

function runStates({ context, repository }: RepositoryPageCall, sha: string): Markup[] {
  return context.data.checkRuns
    .filter((run) => run.repositoryId === repository.id && run.headSha === sha)
    .map((run) => html`${run.name}: ${stateLabel(run.conclusion ?? run.status)} `);
}

async function pullPage(call: RepositoryPageCall): Promise<PageAnswer> {
  const { context, repository, rest } = call;
  const pull = context.data.pulls.find(
    (one) => one.repositoryId === repository.id && String(one.number) === rest[1] && rest.length === 2,
  );
  if (!pull) return null;
  const head = fullName(context.data, repositoryById(context.data, pull.headRepositoryId));
  const author = accountById(context.data, pull.authorId).login;
  return frame(
    `#${pull.number} ${pull.title}`,
    trail(call),
    html`<h1>${pull.title} <span class="soft">#${pull.number}</span></h1>
<p>${stateLabel(pullState(pull))} · ${author} wants to merge <code>${head}:${pull.headRef}</code> into <code>${pull.baseRef}</code>,
head <code>${pull.headSha.slice(0, 10)}</code>${pull.state === 'open' && pull.mergeSha === null ? ', conflicts with the base' : null}</p>
${pull.body ? html`<pre>${pull.body}</pre>` : null}
${await checkReport(context, repository, pull.headSha)}`,
  );
}

async function commitPage(call: RepositoryPageCall): Promise<PageAnswer> {
  const { context, repository, rest } = call;
  const sha = rest.length === 2 ? await resolveRef(context, repository, rest[1] ?? '') : null;
  if (!sha) return null;
  const commit = await readCommit(gitDirOf(context, repository.id), sha);
  const [title = '', ...more] = commit.message.split('\n');
  return frame(
    title,
    trail(call),
    html`<h1>${title}</h1>
<p><code>${sha}</code> by ${commit.author.name}</p>
${more.join('\n').trim() ? html`<pre>${more.join('\n').trim()}</pre>` : null}
${await checkReport(context, repository, sha)}`,
  );
}

function runPage(call: RepositoryPageCall): PageAnswer | Promise<PageAnswer> {
  const run = call.context.data.checkRuns.find(
    (one) => one.repositoryId === call.repository.id && String(one.id) === call.rest[1],
  );
  return run && call.rest.length === 2 ? commitPage({ ...call, rest: ['commit', run.headSha] }) : null;
}

/** A file's bytes at a ref; a ref may hold slashes, so the longest one that there is wins. */
async function rawFile({ context, repository, rest }: RepositoryPageCall): Promise<Buffer | null> {
  const gitDir = gitDirOf(context, repository.id);
  for (let cut = rest.length - 1; cut > 1; cut -= 1) {
    const path = rest.slice(cut).join('/');
    const sha = isTreePath(path) ? await resolveRef(context, repository, rest.slice(1, cut).join('/')) : null;
    const entry = sha && (await findTreeEntry(gitDir, sha, path));
    if (entry && entry.type === 'blob') return readBlob(gitDir, entry.oid);
  }
  return null;
}

async function filePage(call: RepositoryPageCall): Promise<PageAnswer> {
  const bytes = await rawFile(call);
  if (!bytes) return null;
  const path = call.rest.slice(1).join('/');
  const lines = bytes.toString('utf8').split('\n');
  return frame(
    path,
    trail(call),
    html`<h1><code>${path}</code></h1>
${
  bytes.includes(0)
    ? html`<p>This file is not text.</p>`
    : html`<pre>${lines.map((line, index) => html`<span id="L${index + 1}"><span class="number">${index + 1}</span>${line}</span>\n`)}</pre>`
}`,
  );
}
