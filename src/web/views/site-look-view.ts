import { html, type Markup } from '../../markup/index.ts';
import type { SiteCustomization } from '../../platform/index.ts';
import { sitePath } from '../addresses.ts';
import { lookScript } from '../stylesheet.ts';
import { checkbox } from './checkbox.ts';
import { describeWeakColors, lookLabels } from './describe-look.ts';
import type { EnteredLook, LookField, LookProblems } from './entered-look.ts';
import type { PageNews } from './organization-frame.ts';
import { selectInput } from './select-input.ts';
import { type ManagedSiteFrame, renderManagedSitePage } from './site-frame.ts';
import { textArea } from './text-area.ts';
import { textInput } from './text-input.ts';

/** A space in a site that looks otherwise. */
export interface LookVariant {
  readonly title: string;
  readonly siteLook: SiteCustomization;
}

interface LookPage extends ManagedSiteFrame, PageNews {
  /** Of the form. */
  readonly path: string;
  /** Null for the look of the site itself. */
  readonly variant: LookVariant | null;
  readonly entered: EnteredLook;
  readonly problems: LookProblems;
  readonly weak: Readonly<
    Record<'light' | 'dark', { readonly contrast: number; readonly readable: string } | null>
  >;
}

/** How a site, or a variant in it, looks: a form, and beside it a sample of what it says. */
export function renderSiteLook(options: LookPage): string {
  const { path, variant } = options;
  return renderManagedSitePage({
    ...options,
    tab: variant === null ? 'look' : 'structure',
    main: html`${variant === null ? null : renderVariant(variant, options)}<div class="look">
<form class="card" id="docloom-look" method="post" action="${path}" data-look>
${renderColors(options)}
${renderHeaderFields(options)}
${renderPageFields(options)}
<button type="submit">Save</button>
</form>
<section class="look-shown" aria-labelledby="docloom-sample-title">
<h3 id="docloom-sample-title">Preview</h3>
<div class="look-bar">${selectInput({
      id: 'docloom-shown',
      name: 'shown',
      label: 'Theme of the preview',
      options: [
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
      ],
      selected: 'light',
      form: 'docloom-look',
    })}
<button class="quiet" type="submit" form="docloom-look" formaction="${path}/sample" formtarget="docloom-sample" formnovalidate>Preview</button></div>
<p class="small soft">It shows what you entered, with words of a sample page. Readers see nothing of it until you save.</p>
<div class="look-frames"><iframe class="look-frame" name="docloom-sample" title="Sample page in this look" sandbox src="${path}/sample"></iframe></div>
</section>
</div>
<script type="module" src="${lookScript().href}"></script>`,
  });
}

/** What the form of a variant is about. */
function renderVariant({ title }: LookVariant, { organization, site, path }: LookPage): Markup {
  return html`<p><a href="${sitePath(organization.id, site.id, 'structure')}">Back to the structure</a></p>
<div class="card-head"><h3>Look of ${title}</h3><form method="post" action="${path}/reset"><button class="quiet" type="submit">Look like the site again</button></form></div>
<p class="lead">What you change here is so in this variant only; everything else follows the <a href="${sitePath(organization.id, site.id, 'look')}">look of the site</a>.</p>
`;
}

function renderColors({ entered: { look }, problems, weak }: LookPage): Markup {
  const color = (theme: 'light' | 'dark') => {
    const weakness = weak[theme];
    return textInput({
      id: `docloom-${theme}`,
      name: theme,
      label: lookLabels[theme],
      type: 'color',
      autocomplete: 'off',
      maxLength: 7,
      value: toLong(look.styling.primaryColor[theme]),
      problem: problems.get(theme) ?? null,
      ...(weakness !== null && { hint: describeWeakColors(weakness, theme) }),
    });
  };
  const { system, default: theme, toggeable } = look.themes;
  return html`<h3>Color and shape</h3>
${color('light')}
${color('dark')}
${selectInput({
  id: 'docloom-corners',
  name: 'corners',
  label: 'Corners',
  options: [
    { value: 'rounded', label: 'Rounded' },
    { value: 'straight', label: 'Straight' },
    { value: 'circular', label: 'Very rounded' },
  ],
  selected: look.styling.corners,
})}
${selectInput({
  id: 'docloom-theme',
  name: 'theme',
  label: 'Theme with which it opens',
  options: [
    { value: 'system', label: 'That of the reader’s system' },
    { value: 'light', label: 'Light' },
    { value: 'dark', label: 'Dark' },
  ],
  selected: system ? 'system' : theme,
})}
${checkbox('toggle', 'Readers may switch the theme', toggeable)}`;
}

function renderHeaderFields({ site, entered, problems, variant }: LookPage): Markup {
  const title = variant?.siteLook.title ?? site.title;
  const asOnSite = variant === null ? '' : ' When empty: as on the site.';
  const line = (name: LookField, value: string | undefined, maxLength: number, hint?: string) =>
    textInput({
      id: `docloom-${name}`,
      name,
      label: lookLabels[name],
      type: 'text',
      autocomplete: 'off',
      maxLength,
      value: value ?? '',
      isOptional: true,
      problem: problems.get(name) ?? null,
      ...(hint !== undefined && { hint }),
    });
  const { look, links, groups, messageLink } = entered;
  const { header, favicon, announcement } = look;
  const { light, dark } = header.logo ?? {};
  return html`<h3>Around the pages</h3>
${line('title', look.title, 128, `When empty: ${title}`)}
${line('logo', light, 2048, `The address of a picture.${asOnSite}`)}
${line('logoDark', dark === light ? undefined : dark, 2048, 'When empty, the same one.')}
${checkbox('showLogo', 'The logo stands in the place of the name', header.showLogo !== false)}
${line('icon', 'icon' in favicon ? favicon.icon.light : undefined, 2048, `The address of a picture; browsers show it, the preview does not.${asOnSite}`)}
${
  links === null
    ? html`<p class="small soft">The links in the header have menus, buttons, conditions or pages, which were set by the API. They stay as they are.</p>`
    : textArea({
        id: 'docloom-links',
        name: 'links',
        label: lookLabels.links,
        rows: 3,
        isRequired: false,
        maxLength: 20_000,
        value: links,
        hint: 'One in each line: its title, a space and its address, such as Blog https://example.com/blog',
        problem: problems.get('links') ?? null,
      })
}
${line('message', announcement?.message, 128, `A line above every page.${asOnSite}`)}
${
  messageLink === null
    ? html`<p class="small soft">The announcement leads to a page or file, which was set by the API. That stays as it is.</p>`
    : line('messageLink', messageLink, 2048, 'The address that it leads to; when empty, it is no link.')
}
${selectInput({
  id: 'docloom-announcement-style',
  name: 'announcementStyle',
  label: 'Kind of the announcement',
  options: [
    { value: 'info', label: 'Information' },
    { value: 'success', label: 'Success' },
    { value: 'warning', label: 'Warning' },
    { value: 'danger', label: 'Danger' },
  ],
  selected: announcement?.style ?? 'info',
})}
${checkbox('announced', 'Show the announcement', announcement?.enabled ?? true)}
${
  groups === null
    ? html`<p class="small soft">The links in the footer lead to pages or files, which were set by the API. They stay as they are.</p>`
    : textArea({
        id: 'docloom-groups',
        name: 'groups',
        label: lookLabels.groups,
        rows: 6,
        isRequired: false,
        maxLength: 20_000,
        value: groups,
        hint: 'In groups with an empty line between them: first the title of the group, such as Community, then one link in each line, such as Forum https://example.com/forum',
        problem: problems.get('groups') ?? null,
      })
}
${line('copyright', look.footer.copyright, 300, variant === null ? undefined : asOnSite.trim())}
${line('socialPicture', look.socialPreview.url, 2048, variant === null ? 'An address; when empty, each page has a picture of its title.' : `An address.${asOnSite}`)}`;
}

function renderPageFields({ entered: { look } }: LookPage): Markup {
  const { pageActions } = look;
  return html`<h3>On each page</h3>
${checkbox('markdown', 'Readers may copy and view it as Markdown', pageActions.markdown)}
${checkbox('mcp', 'It says how programs connect to the site (MCP)', pageActions.mcp)}
${checkbox('externalAI', 'Readers may open it in an assistant, on sites that everybody may read', pageActions.externalAI)}
${checkbox('pdf', 'Readers may print the whole site, or save it as PDF', look.pdf.enabled)}
${checkbox('editLink', 'It links to its source', look.git.showEditLink)}
${checkbox('pagination', 'It leads to the previous and the next page', look.pagination.enabled)}
${checkbox('feedback', 'It asks whether it helped', look.feedback.enabled)}
${checkbox('newTab', 'Links to other sites open in a new tab', look.externalLinks.target === 'blank')}
${checkbox('ai', 'The search answers questions, where the organization has a model', look.ai.mode !== 'none')}
${selectInput({
  id: 'docloom-try-it',
  name: 'tryIt',
  label: 'Requests from pages of an API',
  options: [
    { value: 'default', label: 'On sites that everybody may read' },
    { value: 'on', label: 'Always' },
    { value: 'off', label: 'Never' },
  ],
  selected: look.tryIt === undefined ? 'default' : look.tryIt.enabled ? 'on' : 'off',
})}`;
}

/** Inputs of colors know no short ones. */
function toLong(color: string): string {
  const [, red, green, blue] = /^#([\da-f])([\da-f])([\da-f])$/i.exec(color) ?? [];
  return red === undefined ? color : `#${red}${red}${green}${green}${blue}${blue}`;
}
