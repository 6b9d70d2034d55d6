// What makes the dashboard quicker for people with scripts: keys for the search, menus that close, and parts of pages that
// are loaded when they are wanted. Every page works without it.

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
  const isField = event.target.matches('input, select, textarea, [contenteditable]');
  const isSearch = (event.key === 'k' && (event.ctrlKey || event.metaKey)) || (event.key === '/' && !isField);
  const field = document.getElementById('docloom-search');
  if (!isSearch || event.altKey || event.shiftKey || field === null) return;
  event.preventDefault();
  field.focus();
  field.select();
});

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
