// Loaded before anything is shown: what the reader chose before never comes as a change of what is already there.
{
  const root = document.documentElement;
  root.classList.add('js');

  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Without storage nothing is remembered.
      return null;
    }
  };

  const theme = read('docloom-theme');
  if (!('fixed' in root.dataset) && (theme === 'light' || theme === 'dark')) root.dataset.theme = theme;

  // The titles of tabs that were chosen, the latest at the end. Tabs are opened while they arrive.
  const titles = read('docloom-tabs')?.split('\n') ?? [];
  const style = read('docloom-api');
  const styles = document.getElementsByName('docloom-api');
  if (titles.length > 0 || style) {
    const tabs = document.getElementsByClassName('tab');
    let next = 0;
    let block = null;
    let best = -1;
    const openChosen = (isAllThere) => {
      for (const input of style ? styles : []) if (input.value === style) input.checked = true;
      for (let tab = tabs[next]; tab; tab = tabs[++next]) {
        // The title is complete when something follows it.
        if (!isAllThere && !tab.firstElementChild?.nextElementSibling && !tab.nextElementSibling) return;
        if (tab.parentElement !== block) {
          block = tab.parentElement;
          best = -1;
        }
        const rank = titles.indexOf(tab.firstElementChild.textContent.trim());
        if (rank <= best) continue;
        best = rank;
        tab.open = true;
      }
    };
    const observer = new MutationObserver(() => openChosen(false));
    observer.observe(root, { childList: true, subtree: true });
    document.addEventListener('DOMContentLoaded', () => {
      observer.disconnect();
      openChosen(true);
    });
  }
}
