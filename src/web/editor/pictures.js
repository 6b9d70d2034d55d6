import { EditorView } from '@codemirror/view';
import { send } from './fields.js';

/** Pictures by paste, by drop and from a dialog: each is uploaded, and its reference comes into the text. */
export function takePictures({ fields, report, insert }) {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = document.getElementById('docloom-file').accept;
  input.multiple = true;
  input.addEventListener('change', () => {
    upload([...input.files]);
    input.value = '';
  });

  async function upload(files, at) {
    for (const file of files) {
      report(`Uploading ${file.name} …`);
      const body = new FormData();
      body.set('path', fields.path);
      body.set('cr', fields.cr);
      body.set('subject', fields.subject);
      body.set('file', file);
      const answer = await send(`${fields.base}/files`, body);
      if (answer.reference === undefined) {
        report(answer.problem, 'bad');
        return;
      }
      fields.update({ cr: answer.cr });
      insert(answer.reference, at);
      report(`Uploaded ${answer.file} into change request ${answer.cr}. Save the text, too.`);
    }
  }

  const filesOf = (data) => [...(data?.files ?? [])];
  return {
    choose: () => input.click(),
    extension: EditorView.domEventHandlers({
      paste(event) {
        const files = filesOf(event.clipboardData);
        if (files.length === 0) return false;
        event.preventDefault();
        upload(files);
        return true;
      },
      drop(event, view) {
        const files = filesOf(event.dataTransfer);
        if (files.length === 0) return false;
        event.preventDefault();
        upload(files, view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? undefined);
        return true;
      },
    }),
  };
}
