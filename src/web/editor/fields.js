/** What the form says about the file; a save changes it. */
export function openFields(form) {
  const field = (name) => form.elements.namedItem(name);
  return {
    base: form.dataset.edit,
    get path() {
      return field('path').value;
    },
    get cr() {
      return field('cr').value;
    },
    get subject() {
      return field('subject')?.value ?? '';
    },
    get oid() {
      return field('oid').value;
    },
    get revision() {
      return field('revision').value;
    },
    /** After a save: the file as it is now, and the change request that it is in. */
    update({ cr, oid, revision }) {
      if (oid !== undefined) field('oid').value = oid;
      if (oid) document.querySelector('[data-new-file]')?.remove();
      if (revision !== undefined) field('revision').value = revision;
      if (cr === null || cr === undefined || String(cr) === this.cr) return;
      field('cr').value = cr;
      form.querySelector('.editor-subject')?.remove();
      const address = new URL(location.href);
      address.searchParams.set('cr', cr);
      address.searchParams.delete('done');
      history.replaceState(null, '', address);
      form.action = address.pathname + address.search;
      const choice = document.getElementById('docloom-cr');
      if (![...choice.options].some(({ value }) => value === String(cr)))
        choice.add(new Option(`#${cr}`, cr), 1);
      choice.value = String(cr);
      for (const other of document.querySelectorAll('[data-plain-upload] [name=cr]')) other.value = cr;
    },
  };
}

/** Sends fields to this server. The answer is JSON, or `problem` is one sentence that says why there is none. */
export async function send(address, body) {
  try {
    const answer = await fetch(address, { method: 'POST', body, headers: { accept: 'application/json' } });
    if (answer.redirected || answer.headers.get('content-type')?.includes('application/json') !== true) {
      return answer.redirected
        ? { problem: 'You are signed out. Sign in on another tab, then save again; the text stays here.' }
        : { problem: `The server could not do that (${answer.status}). Try again in a moment.` };
    }
    return await answer.json();
  } catch {
    return { problem: 'The server does not answer. The text stays in this browser; try again in a moment.' };
  }
}
