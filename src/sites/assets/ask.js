// Asks a question in the live search, which loads this where a model answers readers.

function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The values of server-sent events; what another one begins with waits for the rest of it. */
async function* readEvents(body) {
  const decoder = new TextDecoder();
  let text = '';
  for (const reader = body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const events = text.split('\n\n');
    text = events.pop();
    for (const event of events) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(event) ?? [];
      if (name === 'error') throw new Error(data);
      if (name === 'message') yield JSON.parse(data);
    }
  }
}

/**
 * Calls `show` with each answer: the sections first, then what was composed of them.
 *
 * @param form what is posted: the question, and where it is asked
 */
export async function ask(href, form, signal, show) {
  const headers = { accept: 'text/event-stream' };
  const answer = await fetch(href, { method: 'POST', body: new URLSearchParams(form), headers, signal });
  if (!answer.ok) throw new Error(`${answer.status}`);
  for await (const said of readEvents(answer.body)) show(said);
}

/** The sentences of an answer as text, each with links to the sections that say it. */
export function renderAnswer({ sentences, results }) {
  const text = make('p');
  for (const { text: sentence, cites } of sentences) {
    text.append(`${sentence} `);
    for (const at of cites) {
      const { href, title } = results[at];
      text.append(make('a', { href, title }, `[${at + 1}]`), ' ');
    }
  }
  return text;
}
