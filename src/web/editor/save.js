import { send } from './fields.js';

/** Saves the text into the change request, one save at a time. */
export function saveText({ fields, textOf, replace, report, onSaved }) {
  let isBusy = false;
  let isWanted = false;

  async function save() {
    if (isBusy) {
      isWanted = true;
      return;
    }
    isBusy = true;
    report('Saving …');
    const text = textOf();
    const { path, cr, oid, revision, subject } = fields;
    const answer = await send(
      fields.base,
      new URLSearchParams({ path, cr, oid, revision, subject, text, action: 'save' }),
    );
    isBusy = false;
    finish(answer, text);
    if (isWanted) {
      isWanted = false;
      await save();
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
    onSaved(answer.text ?? text);
    const where = answer.cr === null ? '' : ` in change request ${answer.cr}`;
    const words = {
      saved: `Saved${where}. Readers see it when that is merged.`,
      merged: `Saved${where}, together with what somebody else changed meanwhile.`,
      unchanged: 'There was no change to save.',
    };
    report(words[answer.kind], 'saved');
  }

  return { save, isBusy: () => isBusy };
}
