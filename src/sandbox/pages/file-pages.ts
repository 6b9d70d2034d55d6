import { resolveRef } from '../api/resolve-ref.ts';
import { gitDirOf } from '../forge-context.ts';
import { findTreeEntry, isTreePath, type ListedEntry, listFolder, readBlob } from '../git/read-tree.ts';
import { fullNameOf } from '../state/find-records.ts';
import { frame } from './frame.ts';
import { type SafeHtml, safeHtml } from './html.ts';
import { type PageResult, type RepositoryPageCall, trailOf } from './page.ts';

/** Entries of a folder shown on a page. */
const MAX_ENTRIES = 1_000;

interface FileLocation {
  /** As in the address: a branch, a tag or an oid. */
  readonly ref: string;
  readonly sha: string;
  readonly path: string;
  readonly entry: ListedEntry;
}

/** Resolves an address `<kind>/<ref>/<path>`; a ref may contain slashes, so the longest existing ref wins. */
async function findLocation({ context, repository, rest }: RepositoryPageCall): Promise<FileLocation | null> {
  const gitDir = gitDirOf(context, repository.id);
  for (let cut = rest.length; cut > 1; cut -= 1) {
    const [ref, path] = [rest.slice(1, cut).join('/'), rest.slice(cut).join('/')];
    const sha = path === '' || isTreePath(path) ? await resolveRef(context, repository, ref) : null;
    const entry = sha && (await findTreeEntry(gitDir, sha, path));
    if (entry) return { ref, sha, path, entry };
  }
  return null;
}

/** A file's bytes at a ref. */
export async function rawFile(call: RepositoryPageCall): Promise<(FileLocation & { bytes: Buffer }) | null> {
  const location = await findLocation(call);
  if (location?.entry.type !== 'blob') return null;
  const bytes = await readBlob(gitDirOf(call.context, call.repository.id), location.entry.oid);
  return { ...location, bytes };
}

const encode = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

/** The breadcrumbs of a file or folder, the last without a link. */
function steps(call: RepositoryPageCall, { ref, path }: FileLocation): SafeHtml[] {
  const tree = `/${fullNameOf(call.context.data, call.repository)}/tree/${encode(ref)}`;
  const parts = path === '' ? [] : path.split('/');
  const name = /^[0-9a-f]{40}$/.test(ref) ? ref.slice(0, 7) : ref;
  return [name, ...parts].map((part, index) =>
    index === parts.length
      ? safeHtml`<span aria-current="page">${part}</span>`
      : safeHtml`<a href="${[tree, ...parts.slice(0, index).map(encodeURIComponent)].join('/')}">${part}</a>`,
  );
}

/** `/owner/name/blob/<ref>/<path>`: a text file with its lines numbered. */
export async function filePage(call: RepositoryPageCall): Promise<PageResult> {
  const file = await rawFile(call);
  if (!file) return null;
  const lines = file.bytes.toString('utf8').replace(/\n$/, '').split('\n');
  return frame(
    file.path,
    trailOf(call, ...steps(call, file)),
    safeHtml`<h1>${file.entry.name}</h1>
<p class="sentence soft">${file.entry.size.toLocaleString('en')} bytes · <a href="/${fullNameOf(call.context.data, call.repository)}/raw/${encode(`${file.ref}/${file.path}`)}">raw</a></p>
${
  file.bytes.includes(0)
    ? safeHtml`<p class="empty">This file is not text.</p>`
    : safeHtml`<pre tabindex="0">${lines.map((line, index) => safeHtml`<span id="L${index + 1}"><span class="number">${index + 1}</span>${line}</span>\n`)}</pre>`
}`,
  );
}

/** `/owner/name/tree/<ref>/<folder>`: the entries of a folder, folders first. */
export async function folderPage(call: RepositoryPageCall): Promise<PageResult> {
  const location = await findLocation(call);
  if (location?.entry.type !== 'tree') return null;
  const { context, repository } = call;
  const name = fullNameOf(context.data, repository);
  const entries = await listFolder(gitDirOf(context, repository.id), location.sha, location.path);
  const sorted = entries.toSorted((a, b) => Number(b.type === 'tree') - Number(a.type === 'tree'));
  const rest = sorted.length - MAX_ENTRIES;
  return frame(
    location.path || name,
    trailOf(call, ...steps(call, location)),
    safeHtml`<h1>${location.path || name}</h1>
<p class="sentence soft">As of <a href="/${name}/commit/${location.sha}"><code>${location.sha.slice(0, 7)}</code></a></p>
<h2>Files</h2>
<div class="box scroll"><table><tbody>${sorted.slice(0, MAX_ENTRIES).map((candidate) => {
      const kind = candidate.type === 'tree' ? 'tree' : 'blob';
      const label = candidate.type === 'tree' ? `${candidate.name}/` : candidate.name;
      const address = `/${name}/${kind}/${encode(location.ref)}/${encode(candidate.path)}`;
      return safeHtml`<tr><th scope="row">${candidate.type === 'commit' ? safeHtml`${label} <span class="soft">(submodule)</span>` : safeHtml`<a href="${address}">${label}</a>`}</th>
<td class="narrow soft">${candidate.type === 'blob' && `${candidate.size.toLocaleString('en')} bytes`}</td></tr>`;
    })}</tbody></table></div>
${rest > 0 && safeHtml`<p class="soft">… and ${rest} more.</p>`}`,
  );
}
