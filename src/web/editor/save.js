import { send } from './fields.js';

/** Saves the text into the change request, one save at a time; `review` asks for a review of it, too. */
export function saveText({ fields, textOf, replace, report, onSaved, openPage }) {
  let isBusy = false;
  /** What was asked for while a save was under way. */
  let wanted = null;
  /** What the last save that worked has sent. */
  let saved = null;

  async function save(action = 'save') {
    if (isBusy) {
      wanted = wanted === 'review' ? wanted : action;
      return;
    }
    isBusy = true;
    report('Saving …');
    const text = textOf();
    const { path, cr, oid, revision, subject } = fields;
    const answer = await send(
      fields.base,
      new URLSearchParams({ path, cr, oid, revision, subject, text, action }),
    );
    isBusy = false;
    finish(answer, text);
    if (wanted !== null) {
      const next = wanted;
      wanted = null;
      // A double click saves once.
      if (next === 'review' || textOf() !== saved) await save(next);
    }
  }

  function finish(answer, text) {
    if (answer.kind === undefined) {
      report(answer.problem, 'bad');
      return;
    }
    if (answer.text !== undefined && textOf() !== text) {
      // What was typed meanwhile started from the older text, so the next save merges that, too.
      fields.update({ cr: answer.cr });
      report('Somebody else changed this page, too. Save again to merge what you typed meanwhile.', 'bad');
      return;
    }
    fields.update(answer);
    if (answer.text !== undefined) replace(answer.text);
    if (answer.kind === 'conflict') {
      report(answer.problem, 'bad');
      return;
    }
    saved = answer.text ?? text;
    onSaved(saved);
    const where = answer.cr === null ? '' : ` in change request ${answer.cr}`;
    const words = {
      saved: `Saved${where}. Readers see it when that is merged.`,
      merged: `Saved${where}, together with what somebody else changed meanwhile.`,
      unchanged: 'There was no change to save.',
    };
    report(words[answer.kind], 'saved');
    // What was typed meanwhile is not saved, so the page stays.
    if (answer.reviewed !== undefined && wanted === null && textOf() === saved) openPage(answer.reviewed);
  }

  return { save, isBusy: () => isBusy };
}
