import { type LinkVerdict, linkVerdict } from '../format-port/index.ts';

/** A variable, a name that a script replaces, or one such as `ENGLISH_VERSION_URL`, in the place of a destination. */
const PLACEHOLDER =
  /^(?:\$\{?[A-Za-z_]\w{0,100}\}?|@[A-Za-z_]\w{0,100}@|[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){0,10}_(?:URL|URI|LINK|HREF|PATH))(?=[/?#]|$)/;

/** A page of the repository on its host, as seen from another such page. */
const HOST_PAGE = /^(?:\.\.\/){1,4}(?:tree|blob|raw|edit|blame)\/(?:HEAD|main|master)(?=[/?#]|$)/;

/** The verdict on a missing target that is certainly no path of the repository; null for every other. */
export function explainElsewhere(written: string): LinkVerdict | null {
  const target = written.trim();
  if (PLACEHOLDER.test(target)) {
    const message = 'The destination is a placeholder, which is filled in elsewhere or was never filled in.';
    return linkVerdict('unchecked', message, { warning: { rule: 'placeholder', message } });
  }
  if (HOST_PAGE.test(target)) {
    return linkVerdict(
      'unchecked',
      'The link leads to a page of the repository on its host, from where the text is shown.',
    );
  }
  return null;
}

/** Whether a fragment holds a setting (`#sort=updated`), which a script on the page reads, rather than the name of a part. */
export function isSetting(fragment: string): boolean {
  return /^[\w.-]{1,100}=[^=]*(?:&[\w.-]{1,100}=[^=]*)*$/.test(fragment);
}
