/** Unsaved texts in this browser, so that a crash loses nothing. */
const PREFIX = 'docloom-edit:';
const MAX_DRAFTS = 20;
const DELAY_MS = 400;

export function openDrafts(fields, { isChanged, textOf }) {
  const key = () => `${PREFIX}${fields.base}:${fields.path}`;
  const found = readDraft(key());
  let timer = null;
  /** A draft that the writer has not decided about yet is not overwritten. */
  let isUndecided = false;

  function store() {
    timer = null;
    if (isUndecided) return;
    try {
      if (!isChanged()) localStorage.removeItem(key());
      else {
        dropOldest(key());
        localStorage.setItem(
          key(),
          JSON.stringify({ text: textOf(), cr: fields.cr, oid: fields.oid, at: Date.now() }),
        );
      }
    } catch {
      // A full or forbidden storage: leaving the page still warns.
    }
  }

  addEventListener('pagehide', () => {
    if (timer === null) return;
    clearTimeout(timer);
    store();
  });

  return {
    changed() {
      timer ??= setTimeout(store, DELAY_MS);
    },
    saved() {
      clearTimeout(timer);
      timer = null;
      try {
        localStorage.removeItem(key());
      } catch {}
    },
    /** Offers the text that was left here unsaved. */
    offer({ container, restore }) {
      if (found === null || found.text === textOf()) return;
      isUndecided = true;
      const bar = document.createElement('div');
      bar.className = 'notice wait editor-draft';
      bar.setAttribute('role', 'status');
      const words = document.createElement('p');
      const changed =
        found.oid === fields.oid
          ? ''
          : ' The file was changed since; both are merged or shown when you save.';
      words.textContent = `This browser has text of this page that was not saved, from ${new Date(found.at).toLocaleString()}.${changed}`;
      const button = (label, act) => {
        const one = document.createElement('button');
        one.type = 'button';
        one.className = 'quiet';
        one.textContent = label;
        one.addEventListener('click', () => {
          isUndecided = false;
          bar.remove();
          act();
        });
        return one;
      };
      bar.append(
        words,
        button('Restore it', () => restore(found.text)),
        button('Discard it', () => this.saved()),
      );
      container.before(bar);
    },
  };
}

function readDraft(key) {
  try {
    const draft = JSON.parse(localStorage.getItem(key));
    return typeof draft?.text === 'string' && typeof draft.at === 'number' ? draft : null;
  } catch {
    return null;
  }
}

function dropOldest(own) {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX) && key !== own);
  if (keys.length < MAX_DRAFTS) return;
  const byAge = keys.map((key) => ({ key, at: readDraft(key)?.at ?? 0 })).sort((a, b) => a.at - b.at);
  for (const { key } of byAge.slice(0, keys.length - MAX_DRAFTS + 1)) localStorage.removeItem(key);
}
