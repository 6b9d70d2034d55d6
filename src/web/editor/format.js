import { EditorSelection } from '@codemirror/state';

/** Puts marks around what is selected, or takes them away. */
function wrap(mark) {
  return (view) => {
    const { state } = view;
    view.dispatch(
      state.changeByRange((range) => {
        const { from, to } = range;
        const isMarked =
          state.sliceDoc(from - mark.length, from) === mark && state.sliceDoc(to, to + mark.length) === mark;
        if (isMarked) {
          return {
            changes: [
              { from: from - mark.length, to: from },
              { from: to, to: to + mark.length },
            ],
            range: EditorSelection.range(from - mark.length, to - mark.length),
          };
        }
        return {
          changes: [
            { from, insert: mark },
            { from: to, insert: mark },
          ],
          range: EditorSelection.range(from + mark.length, to + mark.length),
        };
      }),
    );
    view.focus();
    return true;
  };
}

/** Makes a link of what is selected, with the cursor where its destination goes. */
function link(view) {
  const { state } = view;
  view.dispatch(
    state.changeByRange(({ from, to }) => {
      const text = state.sliceDoc(from, to);
      const isAddress = /^https?:\/\/\S+$/.test(text);
      const insert = isAddress ? `[](${text})` : `[${text}]()`;
      const at = from + (isAddress || text === '' ? 1 : insert.length - 1);
      return { changes: { from, to, insert }, range: EditorSelection.cursor(at) };
    }),
  );
  view.focus();
  return true;
}

const bold = wrap('**');
const italic = wrap('*');
const code = wrap('`');

export const formatKeymap = [
  { key: 'Mod-b', run: bold, preventDefault: true },
  { key: 'Mod-i', run: italic, preventDefault: true },
  { key: 'Mod-e', run: code, preventDefault: true },
  { key: 'Mod-k', run: link, preventDefault: true, stopPropagation: true },
];

/** The buttons above the text, and the sentence that says how to use it by keyboard. */
export function makeTools(view, pictures) {
  const key = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl+';
  const tools = document.createElement('div');
  tools.setAttribute('role', 'group');
  tools.setAttribute('aria-label', 'Format');
  tools.className = 'editor-buttons';
  const add = (label, name, run, keys) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet';
    button.innerHTML = label;
    button.setAttribute('aria-label', name);
    button.title = keys === undefined ? name : `${name} (${key}${keys})`;
    button.addEventListener('click', () => run(view));
    tools.append(button);
  };
  add('<b aria-hidden="true">B</b>', 'Bold', bold, 'B');
  add('<i aria-hidden="true">I</i>', 'Italic', italic, 'I');
  add('<code aria-hidden="true">&lt;/&gt;</code>', 'Code', code, 'E');
  add('<span aria-hidden="true">Link</span>', 'Link', link, 'K');
  add('<span aria-hidden="true">Picture</span>', 'Insert a picture', () => pictures.choose());
  const hint = document.createElement('p');
  hint.id = 'docloom-keys';
  hint.className = 'soft small editor-keys';
  hint.textContent = `Tab leaves the text; ${key}] and ${key}[ indent. ${key}S saves, ${key}Space completes.`;
  return [tools, hint];
}
