import { createReading, muteMath } from '../../facts/index.ts';
import type { Reading } from '../../parse/index.ts';

/**
 * Blocks whose text is set aside by Liquid or Nunjucks: highlighted as code, left out as a comment, or assigned to a variable
 * that may be highlighted elsewhere.
 */
const SET_ASIDE =
  /\{%-?\s*(?:highlight|capture|comment|set(?=\s+\w{1,100}\s*-?%\}))\b[^%\n]{0,200}%\}|\{%-?\s*end(?:highlight|capture|comment|set)\s*-?%\}/g;

/** A tag of a template alone on its line, above a line that is indented as code is: what it holds begins there. */
const TAG_ABOVE_CODE = /^[ \t]*\{%-?[^%\n]{0,500}-?%\}[ \t]*\r?$(?=\n(?: {4}|\t)[^\s<{*+-])/gm;

/** Pages of a builder that runs templates. */
export const templateReading: Reading = createReading({
  key: 'github:template',
  prepare: (source) => ({ source: muteMath(hideTagsAboveCode(hideSetAside(source))) }),
});

/** Pairs of Hugo's shortcodes whose names say that the text between them is code; one that closes itself has no text. */
const SHORTCODE_OF_CODE =
  /\{\{[<%][ \t]{0,20}\/?[ \t]{0,20}(?:(?:[a-z]{1,20}[-_])?code(?:[-_]?(?:area|block|example|inline|lang|sample|snippet|toggle))?|chroma|command|console|highlight|katex|math|mermaid|pre|prism|raw|shell|snippet|terminal)(?:\s[^>%\n]{0,300})?(?<!\/)[>%]\}\}/gi;

/** Pages of Hugo, in which code stands between `{{< highlight >}}` and `{{< /highlight >}}`. */
export const hugoReading: Reading = createReading({
  key: 'github:hugo',
  prepare: (source) => ({
    source: muteMath(
      source.includes('{{')
        ? hideBlocks(source, SHORTCODE_OF_CODE, (tag) => /^\{\{[<%]\s{0,20}\//.test(tag))
        : source,
    ),
  }),
});

/** Blocks of shortcodes in brackets whose text is code. */
const BRACKETED_CODE = /\[(\/?)(?:prism|raw|code|highlight|pre)(?:[ =][^\]\n]{0,300})?\](?!\()/g;

/** Pages of Grav, in which samples are between `[prism]` and `[/prism]`. */
export const gravReading: Reading = createReading({
  key: 'github:grav',
  prepare: (source) => ({
    source: muteMath(
      hideTagsAboveCode(hideSetAside(hideBlocks(source, BRACKETED_CODE, (tag) => tag.startsWith('[/')))),
    ),
  }),
});

/**
 * Directives of Paradox that lead to other places than a path: documentation of code, other sites by a name, and issues
 * (https://github.com/lightbend/paradox). `@ref` leads to a page, and `@@snip` shows a file.
 */
const DIRECTIVE =
  /@{1,2}(?:scaladoc|javadoc|apidoc|extref|github|wiki)(?::)?[ \t]{0,5}\[(?:[^[\]\n]|\[[^[\]\n]{0,200}\]){0,300}\]\((?:[^()\n]|\((?:[^()\n]|\([^()\n]{0,300}\)){0,300}\)){0,600}\)/g;

/** Pages of Paradox. */
export const paradoxReading: Reading = createReading({
  key: 'github:paradox',
  prepare: (source) => ({
    source: muteMath(source.includes('@') ? source.replace(DIRECTIVE, blank) : source),
  }),
});

/** Pages of MyST, in which a line that begins with a percent sign is a comment. */
export const mystReading: Reading = createReading({
  key: 'github:myst',
  prepare: (source) => ({ source: muteMath(source.replace(/^%.*$/gm, blank)) }),
});

function hideSetAside(source: string): string {
  if (!source.includes('{%')) return source;
  return hideBlocks(source, SET_ASIDE, (tag) => /^\{%-?\s*end/.test(tag));
}

/** In one pass, since what is opened may never be closed. */
function hideBlocks(source: string, tags: RegExp, isEnd: (tag: string) => boolean): string {
  const parts: string[] = [];
  let done = 0;
  let opened = -1;
  for (const { 0: tag, index } of source.matchAll(tags)) {
    if (!isEnd(tag) && opened === -1) opened = index + tag.length;
    if (!isEnd(tag) || opened === -1) continue;
    parts.push(source.slice(done, opened), blank(source.slice(opened, index)));
    done = index;
    opened = -1;
  }
  return parts.join('') + source.slice(done);
}

function hideTagsAboveCode(source: string): string {
  return source.includes('{%') ? source.replace(TAG_ABOVE_CODE, blank) : source;
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}
