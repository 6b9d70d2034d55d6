import { type LinkVerdict, linkVerdict } from '../format-port/index.ts';

/** A variable, a name that a script replaces, or one such as `URL` `ENGLISH_PAGE` and `ENGLISH_VERSION_URL`, in the place of a destination. */
const PLACEHOLDER =
  /^(?:@[A-Za-z_]\w{0,100}@|\$[A-Za-z_][\w.]{0,100}\$|(?:\$\{?[A-Za-z_]\w{0,100}\}?|[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){0,10}_(?:URL|URI|LINK|HREF|PATH|PAGE)|URL|URI|LINK|HREF)(?=[/?#]|$))/;

/** A name with a number to fill in: `rdmXXXX.md`. */
const NUMBER_TO_FILL = /^[^?#]*(?:^|[/_-]|[a-z])X{3,}(?=[./?#_-]|$)/;

/** Words in the place of a destination, such as those of a template: `link-to-docs`, `your-image-url-here`, `path/to/file.md`. */
const WORDS_TO_REPLACE =
  /^(?:\.{0,2}\/){0,6}(?:(?:links?|url|path)[-_]to[-_](?:[a-z]+[-_]?){1,5}|(?:your|insert|add|put)(?:[-_][a-z]+){0,4}[-_](?:links?|url|path)(?:[-_]here)?|(?:links?|url|path)[-_](?:goes[-_])?here|(?:relative\/|full\/|absolute\/)?path\/to\/[\w./-]{1,100}|(?:relative|absolute)[-_/](?:path|url|link)(?:\/[\w.-]{1,100}){0,3}|(?:your|insert|add)[-_](?:[a-z]+[-_]){0,3}(?:file|page|image|img|picture|screenshot|doc|document|logo|article|post)(?:[-_](?:name|here))?(?:\.[a-z]{2,5})?|\.{3}|…)(?=[?#]|$)/i;

/** One word in the place of a destination, alone: `[text](url)`. */
const WORD_TO_REPLACE = /^(?:url|uri|link|href|hyperlink)$/i;

/** A page of the repository on its host, as seen from another such page. */
const HOST_PAGE = /^(?:\.\.\/){1,4}(?:tree|blob|raw|edit|blame)\/(?:HEAD|main|master)(?=[/?#]|$)/;

/** Addresses that hosts of sites keep for what they answer themselves: scripts of Vercel, Cloudflare, Netlify and Firebase. */
const OF_THE_HOST = /^\/(?:_vercel|cdn-cgi|\.netlify|__\/firebase)\//;

/** The name of a page in brackets, as Logseq and other programs of notes find it: `[text]([[Page]])`. */
const NAME_OF_PAGE = /^\[\[[^[\]]{1,200}\]\]$/;

/** The verdict on a missing target that is certainly no path of the repository; null for every other. */
export function explainElsewhere(written: string): LinkVerdict | null {
  const target = written.trim();
  if (
    PLACEHOLDER.test(target) ||
    NUMBER_TO_FILL.test(target) ||
    WORDS_TO_REPLACE.test(target) ||
    WORD_TO_REPLACE.test(target)
  ) {
    const message = 'The destination is a placeholder, which is filled in elsewhere or was never filled in.';
    return linkVerdict('unchecked', message, { warning: { rule: 'placeholder', message } });
  }
  if (HOST_PAGE.test(target)) {
    return linkVerdict(
      'unchecked',
      'The link leads to a page of the repository on its host, from where the text is shown.',
    );
  }
  if (NAME_OF_PAGE.test(target))
    return linkVerdict('unchecked', `${target} names a page for a program of notes, which finds it by name.`);
  if (OF_THE_HOST.test(target)) {
    return linkVerdict('unchecked', 'The host of the site answers at this address, not a file.');
  }
  return null;
}

/** Whether a fragment holds a setting (`#sort=updated`), which a script on the page reads, rather than the name of a part. */
export function isSetting(fragment: string): boolean {
  return /^[\w.-]{1,100}=[^=]*(?:&[\w.-]{1,100}=[^=]*)*$/.test(fragment);
}

/**
 * Whether a fragment is the path of a page, which programs read that show all pages at one address: `/en-US/button`. No
 * builder names a heading so.
 */
export function isRoute(fragment: string): boolean {
  return /^!?\/[\w-]/.test(fragment);
}

/** The kinds of https://allcontributors.org/docs/en/emoji-key whose emoji is a link to nowhere, and somebody's name. */
const CONTRIBUTION =
  /^(?:a11y|audio|blog|bug|business|code|content|data|design|doc|eventOrganizing|example|financial|fundingFinding|ideas|infra|maintenance|mentoring|platform|plugin|projectManagement|promotion|question|research|review|security|talk|test|tool|translation|tutorial|userTesting|video)-[\w.[\]-]{1,100}$/;

/** Whether a link is an entry of a list of contributors, which a bot writes with fragments that never exist: `[💻](#code-ada)`. */
export function isContribution(fragment: string, text: string): boolean {
  return CONTRIBUTION.test(fragment) && !/[\p{L}\p{N}]/u.test(text);
}

/** Whether a fragment names an option of NixOS or the like, whose page is made of its modules: `opt-programs.git.enable`. */
export function isNixOption(fragment: string): boolean {
  return /^(?:[a-z]{1,20}-){0,3}opt-[\w<>*@-]+(?:\.[\w<>*@-]+)+$/.test(fragment);
}
