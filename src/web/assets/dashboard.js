// What makes the dashboard quicker for people with scripts: keys for the search, menus that close, and parts of pages that
// are loaded when they are wanted. Every page works without it.

const finder = document.querySelector('form[data-palette]');
const openMenus = () => document.querySelectorAll('details.menu[open]');

document.addEventListener('click', ({ target }) => {
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});

document.addEventListener('keydown', (event) => {
  if (event.isComposing) return;
  if (event.key === 'Escape') {
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector('summary').focus();
    }
    return;
  }
  if (event.altKey || event.shiftKey) return;
  if (event.key === 'k' && (event.ctrlKey || event.metaKey) && finder !== null) {
    event.preventDefault();
    openPalette();
    return;
  }
  const isField = event.target.matches('input, select, textarea, [contenteditable]');
  const field = document.getElementById('docloom-search');
  if (event.key !== '/' || isField || field === null) return;
  event.preventDefault();
  field.focus();
  field.select();
});

// A second click while a form is on its way would send it twice, and make two of what it creates. Whoever stopped loading
// the page may send it again a little later.

/** In milliseconds. */
const SENDING = 10_000;
let sending = new WeakSet();

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (event.defaultPrevented || !form.matches('[method="post"]')) return;
  // What is shown in a frame leaves the page as it is, and must not keep anybody from saving it.
  if (event.submitter?.formTarget) return;
  if (sending.has(form)) {
    event.preventDefault();
    return;
  }
  sending.add(form);
  setTimeout(() => sending.delete(form), SENDING);
});
addEventListener('pageshow', () => {
  sending = new WeakSet();
});

// On a small screen the tabs of a space, and the sections of an organization, are one line that scrolls.
for (const here of document.querySelectorAll('nav.tabs [aria-current], nav.sections [aria-current]')) {
  const line = here.closest('nav.tabs ul, nav.sections');
  const beyond = here.getBoundingClientRect().right - line.getBoundingClientRect().right;
  if (beyond > 0) line.scrollLeft += beyond + here.offsetWidth / 2;
}

/** A menu whose entries are many: it is filled when it is opened first. */
for (const menu of document.querySelectorAll('details[data-load]')) {
  menu.addEventListener(
    'toggle',
    async () => {
      const answer = await fetch(menu.dataset.load, { headers: { accept: 'text/html' } });
      if (!answer.ok || answer.redirected) return;
      const loaded = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const current = menu.querySelector('[aria-current]')?.getAttribute('href');
      const rows = [...loaded.querySelectorAll('main .menu-list li')];
      for (const link of loaded.querySelectorAll('main .menu-list a'))
        if (link.getAttribute('href') === current) link.setAttribute('aria-current', 'true');
      if (rows.length > 0) menu.querySelector('.menu-list').replaceChildren(...rows);
    },
    { once: true },
  );
}

// Spaces and collections are dragged into collections, and into another order there. Forms do the same
// without script and by keyboard; what is dropped is sent by such a form.

let dragged = null;

for (const row of document.querySelectorAll('[data-drag]')) {
  row.draggable = true;
  row.addEventListener('dragstart', (event) => {
    dragged = row;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', row.textContent.trim());
  });
  row.addEventListener('dragend', () => {
    dragged = null;
  });
}

for (const target of document.querySelectorAll('[data-drop-into], [data-sortable] > [data-space]')) {
  const unmark = () => target.classList.remove('drop-here', 'drop-before', 'drop-after');
  target.addEventListener('dragover', (event) => {
    const drop = dropAt(target, event);
    unmark();
    if (drop === null) return;
    event.preventDefault();
    target.classList.add(drop.mark);
  });
  target.addEventListener('dragleave', unmark);
  target.addEventListener('drop', (event) => {
    const drop = dropAt(target, event);
    unmark();
    if (drop === null) return;
    event.preventDefault();
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: dragged.dataset.drag, hidden: true });
    for (const [name, value] of Object.entries(drop.fields)) {
      const field = document.createElement('input');
      Object.assign(field, { type: 'hidden', name, value });
      form.append(field);
    }
    document.body.append(form);
    form.submit();
  });
}

/** What a drop would do: the fields of the form, and how that is shown; null for nothing. */
function dropAt(target, { clientY }) {
  if (dragged === null || dragged === target) return null;
  const into = target.dataset.dropInto;
  const { top, height } = target.getBoundingClientRect();
  if (into !== undefined) {
    // The edges of a collection are the places beside it, and its middle is inside; spaces only go inside.
    const at = (clientY - top) / height;
    const beside = dragged.dataset.parent !== undefined && target.dataset.parent !== undefined;
    if (!beside || (at >= 0.25 && at <= 0.75))
      return { fields: { into: 'yes', parent: into }, mark: 'drop-here' };
    const side = at < 0.25 ? 'before' : 'after';
    return {
      fields: { into: 'yes', parent: target.dataset.parent, [`${side}-collection`]: into },
      mark: `drop-${side}`,
    };
  }
  if (dragged.dataset.space === undefined) return null;
  const where = clientY < top + height / 2 ? 'before' : 'after';
  return { fields: { [where]: target.dataset.space }, mark: `drop-${where}` };
}

// The palette looks for what is typed in everything; the page of the search does the same without script.

/** How long nothing is typed until it looks, in milliseconds. */
const PAUSE = 120;
/** Queries whose results are kept, for what is deleted again. */
const KEPT = 30;

let showPalette = null;

function openPalette() {
  showPalette ??= makePalette(new URL(finder.dataset.palette, location.href));
  showPalette();
}

if (finder !== null) {
  const button = finder.querySelector('.palette-key');
  button.hidden = false;
  if (/Mac|iP(?:hone|ad)/.test(navigator.platform)) {
    button.firstChild.textContent = '⌘ K';
    button.setAttribute('aria-keyshortcuts', 'Meta+K');
  }
  button.addEventListener('click', openPalette);
  const link = document.querySelector('.find-link');
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    openPalette();
  });
}

function makePalette(address) {
  const dialog = document.createElement('dialog');
  dialog.className = 'palette';
  dialog.setAttribute('aria-label', 'Find anything');
  const form = document.createElement('form');
  form.action = address.pathname;
  const organization = address.searchParams.get('organization');
  if (organization !== null) {
    const hidden = document.createElement('input');
    Object.assign(hidden, { type: 'hidden', name: 'organization', value: organization });
    form.append(hidden);
  }
  const field = document.createElement('input');
  Object.assign(field, { name: 'q', type: 'text', maxLength: 512, required: true, autocomplete: 'off' });
  field.id = 'docloom-palette';
  const label = document.createElement('label');
  Object.assign(label, { htmlFor: field.id, className: 'visually-hidden', textContent: 'Find anything' });
  field.placeholder = 'Find a space, a page, a person, a setting…';
  const list = document.createElement('div');
  Object.assign(list, { id: 'docloom-options', className: 'palette-list' });
  const attributes = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': list.id,
    spellcheck: 'false',
  };
  for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'What was found');
  const close = document.createElement('button');
  Object.assign(close, { type: 'button', className: 'quiet', textContent: 'Close' });
  const news = document.createElement('p');
  news.className = 'visually-hidden';
  news.setAttribute('role', 'status');
  form.append(label, field, close);
  dialog.append(form, list, news);
  document.body.append(dialog);

  const known = new Map();
  let active = null;
  let timer = 0;
  let request = null;
  // Whether Enter was pressed before the results of what was typed were there.
  let isChosen = false;

  const options = () => [...list.querySelectorAll('[role="option"]')];

  function select(option) {
    active?.setAttribute('aria-selected', 'false');
    active = option ?? null;
    if (active === null) return field.removeAttribute('aria-activedescendant');
    active.setAttribute('aria-selected', 'true');
    field.setAttribute('aria-activedescendant', active.id);
    active.scrollIntoView({ block: 'nearest' });
  }

  function show(markup) {
    // From this server, which escapes what others wrote.
    list.innerHTML = markup;
    list.scrollTop = 0;
    const all = options();
    field.setAttribute('aria-expanded', String(all.length > 0));
    news.textContent = all.length === 1 ? '1 entry' : `${all.length} entries`;
    select(all[0]);
    if (isChosen) active?.click();
    isChosen = false;
  }

  async function look() {
    timer = 0;
    const query = field.value.trim();
    if (known.has(query)) return show(known.get(query));
    request = new AbortController();
    const { signal } = request;
    const at = new URL(address);
    at.searchParams.set('q', query);
    at.searchParams.set('palette', '1');
    try {
      const answer = await fetch(at, { signal });
      // The session is over, or the server cannot answer now: the page says so.
      if (!answer.ok || answer.redirected) return form.submit();
      const markup = await answer.text();
      if (known.size >= KEPT) known.delete(known.keys().next().value);
      known.set(query, markup);
      if (!signal.aborted) {
        request = null;
        show(markup);
      }
    } catch (error) {
      if (error.name === 'AbortError') return;
      request = null;
      news.textContent = 'The server did not answer.';
    }
  }

  function wait() {
    select(null);
    clearTimeout(timer);
    request?.abort();
    request = null;
    timer = setTimeout(look, PAUSE);
  }

  function move(by) {
    const all = options();
    const at = all.indexOf(active) + by;
    select(all[(at + all.length) % all.length]);
  }

  field.addEventListener('input', wait);
  field.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const isPending = timer !== 0 || request !== null;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      move(event.key === 'ArrowDown' ? 1 : active === null ? 0 : -1);
    } else if (event.key === 'Enter' && (isPending || active !== null)) {
      event.preventDefault();
      if (isPending) isChosen = true;
      else if (event.ctrlKey || event.metaKey) window.open(active.href, '_blank', 'noopener');
      else active.click();
    }
  });
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener('close', () => {
    clearTimeout(timer);
    timer = 0;
    request?.abort();
    request = null;
    isChosen = false;
  });

  return () => {
    if (dialog.open) return;
    dialog.showModal();
    field.focus();
    field.select();
    wait();
  };
}

/** The form for a comment on a block opens below it, with what was written into it so far. */
document.addEventListener('click', (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  const form = document.getElementById('docloom-comment-here');
  const cancel = event.target.closest('.comment-cancel');
  if (cancel !== null && form !== null) {
    event.preventDefault();
    const link = form.closest('.block-comments')?.querySelector('.comment-here');
    form.remove();
    link?.focus();
    return;
  }
  const link = event.target.closest('.comment-here');
  const template = document.getElementById('docloom-comment-template');
  if (link === null || template === null) return;
  event.preventDefault();
  const block = link.closest('.block-comments');
  const opened = form ?? template.content.firstElementChild.cloneNode(true);
  opened.elements.page.value = block.dataset.page;
  opened.elements.node.value = link.dataset.node;
  block.append(opened);
  opened.querySelector('textarea').focus();
});

// Parts of a page that the server tells of changes: they are loaded again and replaced where they differ. While the page is
// hidden, nobody listens; what has the focus is replaced when it has lost it.

const live = document.querySelector('[data-live]');

if (live !== null) {
  let source = null;
  let timer = 0;
  let loadedAt = 0;

  const update = async () => {
    timer = 0;
    loadedAt = Date.now();
    const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
    if (answer === null || !answer.ok || answer.redirected) return;
    const loaded = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const fresh = loaded.querySelector('[data-live]');
    if (fresh !== null) merge(fresh);
  };

  const merge = (fresh) => {
    const parts = [...fresh.children].map((part) => document.importNode(part, true));
    const key = (part) => part.getAttribute('aria-labelledby') ?? part.outerHTML;
    const old = new Map([...live.children].map((part) => [key(part), part]));
    const kept = parts.map((part) => {
      const before = old.get(key(part));
      if (before === undefined) return part;
      const isSame = before.outerHTML === part.outerHTML;
      if (isSame || before.contains(document.activeElement)) {
        if (!isSame) before.addEventListener('focusout', later, { once: true });
        return before;
      }
      return part;
    });
    // An element that stays is not taken out, so that it keeps its focus.
    for (const part of [...live.children]) if (!kept.includes(part)) part.remove();
    kept.forEach((part, at) => {
      if (live.children[at] !== part) live.insertBefore(part, live.children[at] ?? null);
    });
  };

  const later = () => {
    const wait = Math.max(200, loadedAt + 3_000 - Date.now());
    if (timer === 0 && !document.hidden) timer = setTimeout(update, wait);
  };

  const listen = () => {
    if (document.hidden) {
      source?.close();
      source = null;
    } else if (source === null) {
      source = new EventSource(live.dataset.live);
      source.addEventListener('change', later);
      source.addEventListener('open', () => {
        if (loadedAt > 0) later();
        loadedAt ||= 1;
      });
    }
  };

  document.addEventListener('visibilitychange', listen);
  addEventListener('pagehide', () => source?.close());
  listen();
}
