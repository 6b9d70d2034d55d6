// The editor of a page: CodeMirror in the place of the text field, with verdicts on links, completion, a preview and
// pictures by paste and drop. The form works without it.
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { drawSelection, EditorView, highlightActiveLine, keymap } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';
import { watchText } from './check.js';
import { completeTargets } from './complete.js';
import { openDrafts } from './drafts.js';
import { openFields } from './fields.js';
import { formatKeymap, makeTools } from './format.js';
import { takePictures } from './pictures.js';
import { saveText } from './save.js';

const form = document.getElementById('docloom-editor');
const area = form.querySelector('textarea');
const fields = openFields(form);
const state = form.querySelector('[data-state]');
let savedText = area.value;

/** Says what happened, to everybody. */
const report = (text, kind = '') => {
  state.textContent = text;
  state.dataset.kind = kind;
};

const textOf = () => view.state.doc.toString();
const isChanged = () => textOf() !== savedText;
const drafts = openDrafts(fields, { isChanged, textOf });
const openPage = (address) => location.assign(address);
const saving = saveText({ fields, textOf, replace, report, onSaved, openPage });
const saveNow = () => {
  saving.save();
  return true;
};
const pictures = takePictures({ fields, report, insert });
const checks = watchText({ form, fields, textOf });

const view = new EditorView({
  doc: area.value,
  extensions: [
    EditorView.cspNonce.of(form.dataset.nonce),
    EditorView.contentAttributes.of({
      'aria-label': 'Text in Markdown',
      'aria-describedby': 'docloom-keys',
      spellcheck: 'true',
    }),
    EditorView.lineWrapping,
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    markdown({ base: markdownLanguage, completeHTMLTags: false }),
    syntaxHighlighting(classHighlighter),
    completeTargets({ fields, checks }),
    lintGutter(),
    pictures.extension,
    checks.extension,
    keymap.of([
      { key: 'Mod-s', preventDefault: true, run: saveNow },
      ...formatKeymap,
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...lintKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      drafts.changed();
      if (state.dataset.kind === 'saved') report(isChanged() ? 'Not saved yet.' : '');
      else if (state.textContent === '') report('Not saved yet.');
    }),
  ],
});

function replace(text) {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}

function insert(text, at = view.state.selection.main.head) {
  view.dispatch({ changes: { from: at, insert: text }, selection: { anchor: at + text.length } });
  view.focus();
}

/** The line that the address names: `#L9`. */
function showLine() {
  const number = Number(/^#L(\d{1,7})$/.exec(location.hash)?.[1]);
  if (!(number >= 1 && number <= view.state.doc.lines)) return;
  const { from } = view.state.doc.line(number);
  view.dispatch({
    selection: { anchor: from },
    effects: EditorView.scrollIntoView(from, { y: 'center' }),
  });
  view.focus();
}

function onSaved(text) {
  savedText = text;
  drafts.saved();
  checks.now();
}

// The text field stays in the form, where it is sent from without this script, too.
area.hidden = true;
area.before(view.dom);
form.querySelector('label[for=docloom-text]').addEventListener('click', (event) => {
  event.preventDefault();
  view.focus();
});
for (const plain of document.querySelectorAll('[data-plain], [data-plain-upload]')) plain.hidden = true;
form.querySelector('[data-tools]').append(...makeTools(view, pictures));
form.addEventListener('submit', (event) => {
  // Sent from here and not by the browser, so that the text stays when there is no answer, or nobody is signed in.
  event.preventDefault();
  saving.save(event.submitter?.value);
});
// The keys of the editor work in the whole page.
document.addEventListener('keydown', (event) => {
  if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.defaultPrevented)
    return;
  event.preventDefault();
  saving.save();
});
addEventListener('beforeunload', (event) => {
  if (isChanged() || saving.isBusy()) event.preventDefault();
});
document.getElementById('docloom-cr').addEventListener('change', (event) => {
  if (!isChanged()) event.target.form.requestSubmit();
});
checks.start(view);
drafts.offer({
  container: form.querySelector('.editor-panes'),
  restore(text) {
    replace(text);
    view.focus();
    report('The unsaved text is back. Save it to keep it.');
  },
});
showLine();
document.documentElement.dataset.editor = 'ready';
