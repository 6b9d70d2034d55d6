// What a page can do beyond HTML. Everything else works without it.

const root = document.documentElement;
const words = JSON.parse(document.body.dataset.words);
const content = document.querySelector('.content');
const wide = matchMedia('(min-width: 80rem)');

/** Makes an element with attributes and children. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

function store(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // Without storage nothing is remembered.
  }
}

/** Offers what stands beside parts of the text when they come near: nobody waits for those that nobody sees. */
function whenNear(elements, offer) {
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        offer(target);
      }
    },
    { rootMargin: '20%' },
  );
  for (const element of elements ?? []) observer.observe(element);
}

const status = document.body.appendChild(make('p', { class: 'hidden', role: 'status' }));

// Theme

const themeButton = document.querySelector('.theme-button');
if (themeButton) {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : system.matches);
  const show = () => themeButton.setAttribute('aria-pressed', String(isDark()));
  show();
  system.addEventListener('change', show);
  themeButton.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    root.dataset.theme = theme;
    store('docloom-theme', theme);
    show();
  });
}

// Menus and the drawer

const openMenus = () => document.querySelectorAll('.menu[open]');
document.addEventListener('click', ({ target }) => {
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  for (const menu of openMenus()) {
    const hadFocus = menu.contains(document.activeElement);
    menu.open = false;
    if (hadFocus) menu.firstElementChild.focus();
  }
});
document.addEventListener('focusin', ({ target }) => {
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false;
});
const drawer = document.getElementById('docloom-drawer');
matchMedia('(min-width: 64rem)').addEventListener('change', () => drawer?.hidePopover?.());
drawer?.addEventListener('toggle', ({ newState }) => {
  if (newState === 'open') showCurrentPage(drawer);
});

// Navigation

/** Scrolls a list of links, and nothing around it, so that the marked one is seen. */
function scrollTo(list, link, room) {
  const { top, bottom } = list.getBoundingClientRect();
  const { top: above, bottom: below } = link.getBoundingClientRect();
  if (above < top + room) list.scrollTop -= top + room - above;
  else if (below > bottom - room) list.scrollTop += below - bottom + room;
}

function showCurrentPage(list) {
  const link = list?.querySelector('.pages [aria-current]');
  if (link) scrollTo(list, link, Math.min(120, list.clientHeight / 4));
}
const pages = document.querySelector('.pages');
const currentPage = pages?.querySelector('[aria-current]');
// On small screens the list is shown when it is opened.
if (currentPage && matchMedia('(min-width: 64rem)').matches && pages.scrollTop === 0)
  scrollTo(pages, currentPage, Math.min(120, pages.clientHeight / 4));
const currentSection = document.querySelector('.sections [aria-current]');
if (currentSection) {
  // Not with `scrollIntoView`, from where the first Tab would go on, past “Skip to the content”.
  const list = currentSection.closest('.sections > ul');
  const { left: start, right: end } = list.getBoundingClientRect();
  const { left, right } = currentSection.getBoundingClientRect();
  if (left < start) list.scrollLeft -= start - left;
  else if (right > end) list.scrollLeft += right - end;
}

// The heading that is read

const outline = document.querySelector('.outline');
if (outline) {
  const links = new Map();
  for (const link of outline.querySelectorAll('a')) {
    const heading = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    if (heading) links.set(heading, link);
  }
  let marked = null;
  const mark = () => {
    const line = Number.parseFloat(getComputedStyle(root).scrollPaddingTop) + 24;
    let current = null;
    for (const heading of links.keys()) {
      if (heading.getBoundingClientRect().top > line) break;
      current = heading;
    }
    const link = links.get(current) ?? null;
    if (link === marked) return;
    marked?.removeAttribute('aria-current');
    link?.setAttribute('aria-current', 'true');
    marked = link;
    if (link && wide.matches) scrollTo(outline, link, 40);
  };
  const observer = new IntersectionObserver(mark, { rootMargin: '-15% 0px -70%' });
  for (const heading of links.keys()) observer.observe(heading);
  addEventListener('scrollend', mark);

  const details = outline.firstElementChild;
  const fold = () => {
    details.open = wide.matches;
  };
  fold();
  wide.addEventListener('change', fold);
  details.firstElementChild.addEventListener('click', (event) => {
    if (wide.matches) event.preventDefault();
  });
}

// Tabs with the same titles stay in step

const titleOf = (tab) => tab.firstElementChild.textContent.trim();
document.addEventListener('click', (event) => {
  const tab = event.target.closest('.tab[name] > summary')?.parentElement;
  if (!tab) return;
  event.preventDefault();
  const title = titleOf(tab);
  const before = tab.firstElementChild.getBoundingClientRect().top;
  tab.open = true;
  for (const other of document.querySelectorAll('.tab[name]:not([open])')) {
    if (titleOf(other) === title) other.open = true;
  }
  // What opened above must not move what was clicked.
  const moved = tab.firstElementChild.getBoundingClientRect().top - before;
  if (moved !== 0) scrollBy({ top: moved, behavior: 'instant' });
  let titles = [];
  try {
    titles = localStorage.getItem('docloom-tabs')?.split('\n') ?? [];
  } catch {
    // As in `store`.
  }
  store('docloom-tabs', [...titles.filter((one) => one !== title), title].slice(-20).join('\n'));
});

// The style of the API for which a page is shown

for (const input of document.getElementsByName('docloom-api')) {
  input.addEventListener('change', () => store('docloom-api', input.value));
}

// Copying

const copyIcon = document.querySelector('.copy-page svg');

function showCopied(button) {
  button.dataset.copied = '';
  status.textContent = words.copied;
  setTimeout(() => {
    delete button.dataset.copied;
    status.textContent = '';
  }, 2000);
}

function offerCopy(pre) {
  const button = make('button', {
    class: 'icon-button copy-code',
    type: 'button',
    'aria-label': words.copyCode,
    title: words.copyCode,
  });
  if (copyIcon) button.append(copyIcon.cloneNode(true));
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent.replace(/\n$/, ''));
    showCopied(button);
  });
  const box = make('div', { class: 'code-box' });
  const hadFocus = document.activeElement === pre;
  pre.replaceWith(box);
  box.append(pre, button);
  if (hadFocus) pre.focus({ preventScroll: true });
}
if (navigator.clipboard) {
  whenNear(content?.querySelectorAll('pre'), (pre) => {
    if (!pre.closest('a, summary')) offerCopy(pre);
  });
}

const copyPage = document.querySelector('.copy-page');
copyPage?.addEventListener('click', async () => {
  const markdown = fetch(copyPage.dataset.markdown).then((answer) => {
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.blob();
  });
  try {
    // A promise, because some browsers allow copying only at once after a click.
    const text = markdown.then((blob) => new Blob([blob], { type: 'text/plain' }));
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': text })]);
    showCopied(copyPage);
  } catch {
    location.assign(copyPage.dataset.markdown);
  }
});

// Pictures that are shown smaller than they are

function offerZoom(image) {
  if (image.naturalWidth < image.clientWidth * 1.2 || image.clientWidth < 80) return;
  if (image.closest('a, button, summary, .card')) return;
  const label = image.alt ? `${words.enlarge}: ${image.alt}` : words.enlarge;
  const button = make('button', { class: 'zoom', type: 'button', 'aria-label': label });
  image.replaceWith(button);
  button.append(image);
  button.addEventListener('click', () => {
    const dialog = make('dialog', { class: 'zoomed', 'aria-label': image.alt || words.enlarge });
    const copy = make('img', { src: image.currentSrc || image.src, alt: image.alt });
    const close = make('button', { class: 'hidden', type: 'button' }, words.close);
    dialog.append(close, copy);
    dialog.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  });
}
whenNear(content?.querySelectorAll('img'), (image) => {
  if (image.complete && image.naturalWidth > 0) offerZoom(image);
  else image.addEventListener('load', () => offerZoom(image), { once: true });
});

// Printing

document.querySelector('.print-button')?.addEventListener('click', () => print());

// Videos, whose hosts learn of nobody before they are pressed

content?.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-player]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const player = make('iframe', {
    src: link.dataset.player,
    title: link.textContent,
    allow: 'autoplay; encrypted-media; fullscreen; picture-in-picture',
    sandbox: 'allow-scripts allow-same-origin allow-popups allow-presentation',
  });
  link.replaceWith(player);
  player.focus();
});

// Links to other sites

if ('newTab' in document.body.dataset) {
  content?.addEventListener('click', ({ target }) => {
    const link = target.closest('a[href]');
    if (!link || link.host === location.host || !link.protocol.startsWith('http')) return;
    link.target = '_blank';
    link.rel = 'noopener';
  });
}

// Live search

const form = document.querySelector('.top .search');
let finder = null;

class Finder {
  #dialog;
  #input;
  #list = make('div', { class: 'found', id: 'docloom-found', role: 'listbox', 'aria-label': words.search });
  #message = make('output');
  #ask = make('div', { class: 'ask' });
  #answer = make('div', { 'aria-live': 'polite' });
  #asking = null;
  #scopes = make('fieldset', { class: 'scopes', hidden: '' });
  #from = form.elements.from.value;
  #scope = '';
  #answers = new Map();
  #timer = 0;
  #wanted = '';

  constructor() {
    this.#input = make('input', {
      type: 'search',
      name: 'q',
      placeholder: words.search,
      'aria-label': words.search,
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-controls': 'docloom-found',
      'aria-expanded': 'false',
      autocomplete: 'off',
      spellcheck: 'false',
    });
    const go = form.querySelector('button').cloneNode(true);
    const attributes = { class: 'icon-button', type: 'button', 'aria-label': words.close };
    const close = make('button', attributes, '×');
    close.addEventListener('click', () => this.#dialog.close());
    const own = make(
      'form',
      { class: 'search', role: 'search', action: form.action },
      go,
      this.#input,
      close,
      make('input', { type: 'hidden', name: 'from', value: this.#from }),
    );
    own.id = 'docloom-finder';
    this.#dialog = make(
      'dialog',
      { class: 'finder', 'aria-label': words.search },
      own,
      this.#scopes,
      this.#message,
      this.#ask,
      this.#answer,
      this.#list,
    );
    this.#dialog.addEventListener('click', ({ target }) => {
      if (target === this.#dialog) this.#dialog.close();
    });
    this.#dialog.addEventListener('keydown', (event) => this.#onKey(event));
    this.#input.addEventListener('input', ({ isComposing }) => {
      if (!isComposing) this.#later();
    });
    this.#input.addEventListener('compositionend', () => this.#later());
    this.#scopes.addEventListener('change', ({ target }) => {
      this.#scope = target.value;
      this.#later();
    });
    document.body.append(this.#dialog);
  }

  open(query) {
    if (!this.#dialog.open) this.#dialog.showModal();
    if (query !== '') {
      this.#input.value = query;
      this.#later();
    }
    this.#input.focus();
    this.#input.select();
    if (query !== '') this.#input.setSelectionRange(query.length, query.length);
  }

  #later() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#search(this.#input.value.trim()), 120);
  }

  async #search(query) {
    this.#wanted = query;
    this.#asking?.abort();
    if (query === '') {
      this.#show([], '');
      return;
    }
    this.#message.textContent ||= words.searching;
    try {
      const { results, said, scopes, ask } = await this.#find(query, this.#scope);
      if (this.#wanted !== query) return;
      this.#show(results, said);
      this.#offer(scopes);
      if (ask) this.#offerAnswer(ask, query);
    } catch {
      if (this.#wanted === query) this.#show([], words.searchFailed);
    }
  }

  async #find(query, scope) {
    const key = `${scope} ${query}`;
    const known = this.#answers.get(key);
    if (known) return known;
    const address = new URL(form.action);
    address.search = new URLSearchParams({ q: query, from: this.#from, scope });
    const answer = await fetch(address, { headers: { accept: 'application/json' } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const found = await answer.json();
    this.#answers.set(key, found);
    return found;
  }

  /** What can be searched is known with the first answer. */
  #offer(scopes) {
    if (!this.#scopes.hidden || scopes.length === 0) return;
    this.#scopes.hidden = false;
    this.#scopes.append(make('legend', {}, words.searchIn));
    for (const { name, label, isChosen } of scopes) {
      const choice = make('input', { type: 'radio', name: 'scope', value: name, form: 'docloom-finder' });
      choice.checked = isChosen;
      this.#scopes.append(make('label', {}, choice, ` ${label}`));
    }
  }

  #offerAnswer(ask, q) {
    const button = make('button', { type: 'button' }, ask.label);
    button.addEventListener('click', () => this.#compose(ask, q));
    this.#ask.replaceChildren(button);
  }

  async #compose({ href, script, answerLabel }, q) {
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    this.#message.textContent = words.searching;
    this.#input.focus();
    try {
      const { ask, renderAnswer } = await import(script);
      await ask(href, { q, from: this.#from, scope: this.#scope }, signal, (answer) => {
        if (signal.aborted) return;
        const isCited = answer.sentences.length > 0;
        this.#show(answer.results, answer.said, isCited);
        if (!isCited) return;
        const box = make('section', { class: 'answer', 'aria-label': answerLabel }, renderAnswer(answer));
        this.#answer.replaceChildren(box);
      });
    } catch {
      if (!signal.aborted) this.#show([], words.searchFailed);
    }
  }

  #show(results, message, isCited = false) {
    this.#message.textContent = message;
    this.#ask.replaceChildren();
    this.#answer.replaceChildren();
    this.#list.replaceChildren(
      ...results.map(({ title, href, trail, excerpt }, at) => {
        const id = `docloom-found-${at}`;
        const link = make('a', { href, id, role: 'option', tabindex: '-1', 'aria-selected': 'false' });
        if (trail.length > 0) link.append(make('small', {}, trail.join(' › ')));
        link.append(make('strong', {}, isCited ? `[${at + 1}] ${title}` : title));
        for (const { text, isMatch } of excerpt) link.append(isMatch ? make('mark', {}, text) : text);
        return link;
      }),
    );
    this.#list.scrollTop = 0;
    this.#input.setAttribute('aria-expanded', String(results.length > 0));
    this.#select(0);
  }

  get #selected() {
    return this.#list.querySelector('[aria-selected="true"]');
  }

  #select(at) {
    const links = [...this.#list.children];
    const chosen = links[(at + links.length) % links.length];
    for (const link of links) link.setAttribute('aria-selected', String(link === chosen));
    if (chosen) {
      this.#input.setAttribute('aria-activedescendant', chosen.id);
      scrollTo(this.#list, chosen, 8);
    } else this.#input.removeAttribute('aria-activedescendant');
  }

  #onKey(event) {
    // While characters are put together, the keys belong to the input method.
    if (event.isComposing || event.keyCode === 229 || event.target !== this.#input) return;
    const at = [...this.#list.children].indexOf(this.#selected);
    if (event.key === 'Escape') this.#dialog.close();
    else if (event.key === 'ArrowDown') this.#select(at + 1);
    else if (event.key === 'ArrowUp') this.#select(at - 1);
    else if (event.key === 'Enter' && this.#selected && !event.ctrlKey && !event.metaKey) {
      this.#dialog.close();
      this.#selected.click();
    } else return;
    event.preventDefault();
  }
}

function openFinder(query = '') {
  finder ??= new Finder();
  finder.open(query);
}

if (form && window.HTMLDialogElement) {
  const input = form.querySelector('input');
  const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
  if (isApple) form.querySelector('kbd').textContent = '⌘ K';
  form.addEventListener('mousedown', (event) => {
    if (event.button === 0) event.preventDefault();
  });
  form.addEventListener('click', (event) => {
    event.preventDefault();
    openFinder();
  });
  const moveIntoFinder = ({ isComposing }) => {
    if (isComposing || input.value === '') return;
    openFinder(input.value);
    input.value = '';
  };
  input.addEventListener('input', moveIntoFinder);
  // No input comes after the one that ends with what an input method put together.
  input.addEventListener('compositionend', moveIntoFinder);
  document.addEventListener('keydown', (event) => {
    const { key, target } = event;
    const isTyping = target.closest?.('input, textarea, select, [contenteditable]');
    const isCommand =
      key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const isSlash = key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isCommand && !isSlash) return;
    event.preventDefault();
    openFinder();
  });
}
