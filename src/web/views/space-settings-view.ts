import { languages } from '../../client/index.ts';
import { html, type Markup } from '../../markup/index.ts';
import { movePath, spacePartPath, spacePath } from '../addresses.ts';
import { confirmation } from './checkbox.ts';
import type { PageNews } from './organization-frame.ts';
import { levelOptions } from './role-words.ts';
import { selectInput } from './select-input.ts';
import { emojiInput, titleInput } from './space-forms-view.ts';
import { renderSpacePage, type SpaceFrame } from './space-frame.ts';

/** The visibilities of a space that mean something without a site. */
export const VISIBILITIES_CHOSEN = [
  'private',
  'in-collection',
  'unlisted',
  'public',
  'share-link',
  'visitor-auth',
] as const;

const VISIBILITY_WORDS: Readonly<Record<(typeof VISIBILITIES_CHOSEN)[number], string>> = {
  private: 'Members who have a role in it',
  'in-collection': 'Everybody who sees its collection',
  unlisted: 'Everybody who has the address',
  public: 'Everybody, search engines included',
  'share-link': 'Whoever has a link to a site that shows it',
  'visitor-auth': 'Visitors of a site that shows it, with a signed token',
};

/** Merge rules that need no names of people, in words. */
export const MERGE_RULES = [
  { rule: 'require_any_review', words: 'Somebody else than its authors merges it' },
  { rule: 'require_subject', words: 'It has a subject' },
] as const;

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** What administrators change of a space. */
export function renderSpaceSettings(options: PageNews & { readonly frame: SpaceFrame }): string {
  const { frame } = options;
  return renderSpacePage({
    ...frame,
    ...options,
    tab: 'settings',
    main: html`<div class="reading"><h1>Settings</h1>
${renderGeneral(frame)}
${renderVisibility(frame)}
${renderEdits(frame)}
${renderDanger(frame)}</div>`,
  });
}

function renderGeneral({ space }: SpaceFrame): Markup {
  return html`<form class="card" method="post" action="${spacePartPath(space.id, 'settings')}">
<h2>The space</h2>
${titleInput(space.title)}
${emojiInput(space.emoji ?? '')}
${selectInput({
  id: 'docloom-language',
  name: 'language',
  label: 'Language',
  options: [
    { value: '', label: 'Not said' },
    ...languages.map((value) => ({ value, label: languageNames.of(value) ?? value })),
  ],
  selected: space.language ?? '',
})}
<button type="submit">Save</button></form>`;
}

function renderVisibility({ space }: SpaceFrame): Markup {
  const offered = VISIBILITIES_CHOSEN.filter(
    (value) => value !== 'in-collection' || space.parent !== undefined,
  );
  return html`<form class="card" method="post" action="${spacePartPath(space.id, 'settings/access')}">
<h2>Who sees it</h2>
${selectInput({
  id: 'docloom-visibility',
  name: 'visibility',
  label: 'Readers',
  options: offered.map((value) => ({ value, label: VISIBILITY_WORDS[value] })),
  selected: space.visibility,
})}
${selectInput({
  id: 'docloom-level',
  name: 'defaultLevel',
  label: 'Level of all members',
  options: levelOptions(),
  selected: space.defaultLevel,
  hint: 'Everybody in the organization has at least this role in the space.',
})}
<button type="submit">Save</button></form>`;
}

function renderEdits({ space }: SpaceFrame): Markup {
  const { type, rules = [] } = space.mergeRules;
  const isSet = (rule: string) => rules.some((set) => set.rule === rule);
  const known = new Set<string>(MERGE_RULES.map(({ rule }) => rule));
  const others = rules.filter(({ rule }) => !known.has(rule));
  return html`<form class="card" method="post" action="${spacePartPath(space.id, 'settings/edits')}">
<h2>Edits and change requests</h2>
<div class="choice"><input type="checkbox" id="docloom-locked" name="locked" value="on"${space.editMode === 'locked' ? html` checked` : null}>
<div><label for="docloom-locked">Locked</label><p class="hint">Nobody edits it or merges into it; change requests are still written.</p></div></div>
<fieldset><legend>Before a change request is merged</legend>
<div class="choice"><input type="radio" id="docloom-inherit" name="rules" value="inherit"${type === 'inherit' ? html` checked` : null}><label for="docloom-inherit">The rules of the organization count</label></div>
<div class="choice"><input type="radio" id="docloom-own" name="rules" value="own"${type === 'rules' ? html` checked` : null}><label for="docloom-own">These count:</label></div>
${MERGE_RULES.map(
  ({ rule, words }) =>
    html`<div class="choice nested"><input type="checkbox" id="docloom-${rule}" name="${rule}" value="on"${isSet(rule) ? html` checked` : null}><label for="docloom-${rule}">${words}</label></div>
`,
)}
${others.length === 0 ? null : html`<p class="hint">These stay as the API set them: ${others.map(({ rule }) => html`<code>${rule}</code> `)}</p>`}
</fieldset>
<button type="submit">Save</button></form>`;
}

function renderDanger({ space }: SpaceFrame): Markup {
  return html`<p class="buttons"><a class="button quiet" href="${movePath('space', space.id)}">Move to a collection</a></p>
<form method="post" action="${spacePath(space.id)}/duplicate"><p><button class="quiet" type="submit">Duplicate the space</button></p></form>
<form class="card danger-zone" method="post" action="${spacePartPath(space.id, 'settings/delete')}">
<h2>Delete this space</h2>
<p>Sites stop showing it at once. It can be restored for 7 days; its repository is not touched.</p>
${confirmation(`Delete ${space.title}`)}
<button class="danger" type="submit">Delete the space</button></form>`;
}
