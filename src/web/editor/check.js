import { setDiagnostics } from '@codemirror/lint';
import { ChangeSet } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { send } from './fields.js';
import { linkScroll } from './scroll.js';

/** The text is checked when nothing was typed for so long. */
const DELAY_MS = 350;

/** Checks the text on the server and shows its verdicts and its preview: one request at a time, the newest text. */
export function watchText({ form, fields, textOf }) {
  const preview = form.querySelector('[data-preview]');
  const links = form.querySelector('[data-links]');
  let view = null;
  let timer = null;
  let isBusy = false;
  let isStale = false;
  /** What was changed since the text of the last answer was sent. */
  let since = null;
  let last = { headings: [], references: [] };
  let scroll = null;

  async function check() {
    if (isBusy) {
      isStale = true;
      return;
    }
    isBusy = true;
    isStale = false;
    since = ChangeSet.empty(view.state.doc.length);
    const sent = view.state.doc;
    const { path, cr } = fields;
    const answer = await send(`${fields.base}/check`, new URLSearchParams({ path, cr, text: textOf() }));
    isBusy = false;
    if (answer.references !== undefined) show(answer, sent);
    else tellWhyNot(answer.problem);
    form.dataset.checked = String(Number(form.dataset.checked ?? 0) + 1);
    if (isStale) schedule();
  }

  /** The preview stays as it was, with the reason. */
  function tellWhyNot(problem) {
    const words = document.createElement('p');
    words.className = 'notice wait';
    words.textContent = problem;
    links.replaceChildren(words);
  }

  function show(answer, sent) {
    last = answer;
    const changes = since;
    const spanOf = ({ line, column, endLine, endColumn }) => ({
      from: offsetIn(sent, line, column),
      to: offsetIn(sent, endLine, endColumn),
    });
    const now = (at) => changes.mapPos(at, 1);
    const found = answer.references
      .filter(({ verdict, warning }) => verdict === 'broken' || warning !== undefined)
      .map((reference) => ({ ...describe(reference), ...spanOf(reference), fix: reference.fix }));
    const wrong = answer.problems.map(({ line = 1, message }) => ({
      severity: 'error',
      message,
      from: offsetIn(sent, line, 1),
      to: sent.line(Math.min(Math.max(line, 1), sent.lines)).to,
    }));
    const diagnostics = [...found, ...wrong].map(({ fix, ...diagnostic }) => ({
      ...diagnostic,
      from: now(diagnostic.from),
      to: Math.max(now(diagnostic.from), changes.mapPos(diagnostic.to, -1)),
      ...(fix === undefined ? {} : { actions: [actionOf(fix, diagnostic.suggestion, sent)] }),
    }));
    view.dispatch(
      setDiagnostics(
        view.state,
        diagnostics.sort((a, b) => a.from - b.from),
      ),
    );
    const top = preview.scrollTop;
    preview.innerHTML = answer.html;
    preview.scrollTop = top;
    links.innerHTML = answer.summary;
    scroll.refresh(answer.headings);
  }

  function actionOf(fix, suggestion, sent) {
    return {
      name: `Use ${suggestion}`,
      apply(target) {
        // Only where the text to replace is still there.
        const changes = fix.map(({ from, to, insert }) => {
          const text = sent.sliceString(from, to);
          const at = since.mapPos(from, 1);
          return target.state.sliceDoc(at, at + text.length) === text
            ? { from: at, to: at + text.length, insert }
            : null;
        });
        if (changes.every((change) => change !== null)) target.dispatch({ changes });
      },
    };
  }

  function schedule() {
    clearTimeout(timer);
    timer = setTimeout(check, DELAY_MS);
  }

  return {
    extension: EditorView.updateListener.of((update) => {
      if (!update.docChanged) return;
      since = since?.compose(update.changes) ?? null;
      schedule();
    }),
    start(editor) {
      view = editor;
      scroll = linkScroll(view, preview);
      check();
    },
    now: schedule,
    get headings() {
      return last.headings;
    },
  };
}

function describe({ verdict, message, warning, suggestion, rule }) {
  const isBroken = verdict === 'broken';
  return {
    severity: isBroken ? 'error' : 'warning',
    message: (isBroken ? message : warning) ?? 'This link leads nowhere.',
    source: isBroken ? rule : undefined,
    suggestion,
  };
}

/** Lines and columns from 1, as the server counts them. */
function offsetIn(doc, line, column) {
  if (line < 1) return 0;
  if (line > doc.lines) return doc.length;
  const { from, to } = doc.line(line);
  return Math.min(from + column - 1, to);
}
