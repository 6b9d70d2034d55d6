import { isMap, isScalar } from 'yaml';
import { type ConfigLink, createConfigReading } from '../../facts/index.ts';
import { brokenVerdict, type LinkRules, linkVerdict } from '../../format-port/index.ts';
import type { RepoPath } from '../../model/index.ts';
import { isInside, pathInside, trimSlashes } from '../../tree/index.ts';
import { parseYamlDocument } from '../../yaml/index.ts';
import { scalarSpan } from '../scalar-span.ts';
import { type GitbookSpaceConfig, joinFolder } from './gitbook-config.ts';

/** Redirects beyond this number are left out. */
const MAX_REDIRECTS = 20_000;

/** Reads the destinations of redirects in `.gitbook.yaml` as links. */
export const redirectReading = createConfigReading('gitbook-config', findRedirects);

function findRedirects(text: string): readonly ConfigLink[] {
  const document = parseYamlDocument(text);
  const redirects =
    document.errors.length === 0 && isMap(document.contents)
      ? document.contents.get('redirects', true)
      : null;
  if (!isMap(redirects)) return [];
  return redirects.items.slice(0, MAX_REDIRECTS).flatMap(({ key, value }): ConfigLink[] => {
    if (!isScalar(value) || typeof value.value !== 'string' || value.value.trim() === '') return [];
    const span = scalarSpan(text, value);
    const from = isScalar(key) ? String(key.value) : '';
    return span === null ? [] : [{ carrier: 'redirect', target: value.value.trim(), text: from, ...span }];
  });
}

/**
 * The rules of a redirect: it names a page of the space below the content's root, with or without its extension
 * (https://gitbook.com/docs/getting-started/git-sync/content-configuration#redirects). A redirect to the address of
 * another redirect is valid.
 */
export function redirectRules(config: GitbookSpaceConfig, pageRules: LinkRules): LinkRules {
  const { root, redirects } = config;
  const fromRoot = joinFolder(root, '.gitbook.yaml');
  return {
    ...pageRules,
    resolve(_file, reference) {
      const resolution = pageRules.resolve(fromRoot, reference);
      if (resolution.kind === 'verdict') return resolution;
      const [first, ...rest] = resolution.candidates;
      const withExtension = /\.md$/i.test(first) || first === root ? [] : [`${first}.md`];
      return { ...resolution, candidates: [first, ...withExtension, ...rest], expects: 'page' };
    },
    explainMissing(resolution, _file, reference) {
      const isRedirect = resolution.candidates.some((path) => redirects.has(addressOf(path, root)));
      return isRedirect
        ? linkVerdict('ok', null)
        : (pageRules.explainMissing?.(resolution, fromRoot, reference) ?? null);
    },
    checkAccess(found, _file, reference) {
      if (!isInside(found.candidate, root) && found.candidate !== root) {
        const where = root === '' ? 'the repository' : root;
        return brokenVerdict(
          'outside-space',
          `${found.candidate} exists, and a redirect leads only to pages in ${where}, the space’s folder.`,
        );
      }
      const objection = pageRules.checkAccess?.(found, fromRoot, reference) ?? null;
      const unlisted = objection?.warning?.rule === 'unlisted-page' ? objection.warning : null;
      if (unlisted !== null) {
        const message = `${found.candidate} exists, and a redirect leads only to pages that ${config.summary} lists.`;
        return brokenVerdict('unlisted-page', message);
      }
      return objection?.status === 'broken' ? objection : null;
    },
  };
}

function addressOf(path: RepoPath, root: RepoPath): string {
  return trimSlashes(isInside(path, root) ? pathInside(path, root) : path).replace(/(?:\/README)?\.md$/i, '');
}
