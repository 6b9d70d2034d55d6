// Operations of APIs: which server the samples name, and requests from the reader's browser straight to it. What readers
// type is nowhere but in the form.

const article = document.getElementById('docloom-text');
const allowed = article.dataset.requestOrigins?.split(' ') ?? [];
const words = JSON.parse(article.dataset.operationWords);
const say = (sentence, values) => sentence.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** More of an answer is not shown, in bytes. */
const MAX_SHOWN = 1024 * 1024;
const PATIENCE_MS = 60_000;

/** Makes an element with attributes and children. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

function field(title, control) {
  return make('label', {}, make('span', {}, title), control);
}

function choice(options) {
  return make('select', {}, ...options.map(({ value, text = value }) => make('option', { value }, text)));
}

// Servers

/** Of all operations with the same servers one choice is made. */
const choosers = [];

class ServerChooser {
  constructor(call, samples) {
    this.call = call;
    this.key = JSON.stringify(call.servers);
    this.box = make('div', { class: 'server-choice' });
    this.texts = textsIn(samples, call.base);
    this.values = {};
    if (call.servers.length < 2 && !call.servers[0]?.variables.length) return;
    this.select = choice(
      call.servers.map(({ url, label }, at) => ({
        value: at,
        text: label === '' ? url : `${label}: ${url}`,
      })),
    );
    this.variables = make('div');
    this.box.append(field(words.server, this.select), this.variables);
    this.select.addEventListener('change', () => this.#announce(Number(this.select.value), {}));
    this.box.addEventListener('input', ({ target }) => {
      const { variable } = target.dataset;
      if (variable) this.#announce(this.at, { ...this.values, [variable]: target.value });
    });
    samples.prepend(this.box);
    this.choose(0, {});
  }

  at = 0;

  #announce(at, values) {
    for (const chooser of choosers) if (chooser.key === this.key) chooser.choose(at, values);
  }

  choose(at, values) {
    const isOther = at !== this.at || this.variables.childElementCount === 0;
    this.at = at;
    this.values = values;
    this.select.value = at;
    if (isOther) this.variables.replaceChildren(...this.call.servers[at].variables.map(variableField));
    for (const control of this.variables.querySelectorAll('[data-variable]')) {
      const value = values[control.dataset.variable];
      if (value !== undefined && control !== document.activeElement) control.value = value;
    }
    const base = this.base.replaceAll("'", '%27').replaceAll('"', '%22').replaceAll('\\', '%5C');
    for (const { node, text } of this.texts) node.data = text.replaceAll(this.call.base, () => base);
    this.onChange?.();
  }

  /** The chosen address; as in the samples where it is none of the Web. */
  get base() {
    const server = this.call.servers[this.at];
    if (!server) return this.call.base;
    const known = new Map(server.variables.map(({ name, initial }) => [name, this.values[name] ?? initial]));
    const url = server.url.replace(/\{([^{}]*)\}/g, (all, name) => known.get(name) ?? all);
    if (/^https?:/i.test(url)) return url.replace(/\/+$/, '');
    return this.at === 0 ? this.call.base : url.replace(/\/+$/, '');
  }
}

function variableField({ name, initial, values }) {
  const control =
    values.length > 0
      ? choice(values.map((value) => ({ value })))
      : make('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
  control.value = initial;
  control.dataset.variable = name;
  return field(name, control);
}

function textsIn(samples, base) {
  const walker = document.createTreeWalker(samples, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.data.includes(base)) texts.push({ node, text: node.data });
  }
  return texts;
}

// Requests

class RequestForm {
  constructor({ call, chooser, operation }) {
    this.call = call;
    this.chooser = chooser;
    this.box = make('details', { class: 'try-it' }, make('summary', {}, words.tryIt));
    this.box.addEventListener('toggle', () => this.#build(), { once: true });
    operation.append(this.box);
  }

  #build() {
    const { parameters, access, bodies } = this.call.request;
    this.parameters = parameters.map((parameter) => ({ parameter, control: parameterControl(parameter) }));
    this.access =
      access.length > 1 ? choice(access.map(({ name }, at) => ({ value: at, text: name }))) : null;
    this.credentials = make('div');
    this.body =
      bodies.length > 1 ? choice(bodies.map(({ mediaType }, at) => ({ value: at, text: mediaType }))) : null;
    this.content = make('div');
    this.address = make('code');
    this.button = make('button', { type: 'submit' }, words.send);
    this.answer = make('div', { class: 'answer', role: 'status' });
    this.form = make(
      'form',
      { autocomplete: 'off' },
      ...(this.access ? [field(words.authorization, this.access)] : []),
      this.credentials,
      ...this.parameters.map(({ parameter, control }) =>
        field(parameter.isRequired ? parameter.name : say(words.optional, parameter), control),
      ),
      ...(this.body ? [field(words.body, this.body)] : []),
      this.content,
      make('p', {}, make('code', {}, this.call.method), ' ', this.address),
      this.button,
    );
    this.box.append(this.form, this.answer);
    this.access?.addEventListener('change', () => this.#showCredentials());
    this.body?.addEventListener('change', () => this.#showContent());
    this.form.addEventListener('input', () => this.#showAddress());
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#send();
    });
    this.chooser.onChange = () => this.#showAddress();
    this.#showCredentials();
    this.#showContent();
    this.#showAddress();
  }

  get #alternative() {
    return this.call.request.access[Number(this.access?.value ?? 0)] ?? { credentials: [] };
  }

  get #content() {
    return this.call.request.bodies[Number(this.body?.value ?? 0)];
  }

  #showCredentials() {
    const { credentials } = this.#alternative;
    this.secrets = credentials.map((credential) => ({
      credential,
      controls: credentialControls(credential),
    }));
    this.credentials.replaceChildren(
      ...this.secrets.flatMap(({ controls }) => controls.map(({ title, control }) => field(title, control))),
    );
  }

  #showContent() {
    const content = this.#content;
    this.fields = [];
    this.text = null;
    if (content === undefined) return;
    const { mediaType, sample, fields } = content;
    if (fields.length > 0) {
      this.fields = fields.map((name) => ({
        name,
        control: make('input', { type: 'text', autocomplete: 'off' }),
      }));
      this.content.replaceChildren(...this.fields.map(({ name, control }) => field(name, control)));
    } else {
      this.text = make('textarea', { rows: 8, spellcheck: 'false', autocomplete: 'off' });
      this.text.value = sample;
      this.content.replaceChildren(field(say(words.bodyIn, { type: mediaType }), this.text));
    }
  }

  /** The address without secrets, which are nobody's to read over a shoulder. */
  #showAddress() {
    this.address.textContent = this.#address(false);
  }

  #address(withSecrets) {
    const of = (place) => this.parameters.filter(({ parameter }) => parameter.in === place);
    let path = this.call.path;
    for (const { parameter, control } of of('path')) {
      if (control.value === '') continue;
      path = path.replaceAll(`{${parameter.name}}`, () => encodeURIComponent(control.value));
    }
    const query = of('query').flatMap(({ parameter, control }) => queryOf(parameter, control.value));
    if (withSecrets) {
      for (const { credential, controls } of this.secrets)
        if (credential.in === 'query') query.push([credential.name, secretOf(controls)]);
    }
    const whole = of('querystring').map(({ control }) => control.value.replace(/^\?/, ''));
    const words = [...query.map((pair) => pair.map(encodeURIComponent).join('=')), ...whole].filter(Boolean);
    return this.chooser.base + path + (words.length === 0 ? '' : `?${words.join('&')}`);
  }

  #headers() {
    const headers = new Headers();
    for (const { parameter, control } of this.parameters) {
      if (parameter.in === 'header' && control.value !== '') headers.set(parameter.name, control.value);
    }
    for (const { credential, controls } of this.secrets) {
      const secret = secretOf(controls);
      if (credential.in === 'header' && secret !== '')
        headers.set(credential.name, credential.prefix + secret);
    }
    return headers;
  }

  #payload(headers) {
    const content = this.#content;
    if (content === undefined || /^(?:GET|HEAD)$/.test(this.call.method)) return undefined;
    const { mediaType } = content;
    if (this.text !== null) {
      if (this.text.value === '') return undefined;
      headers.set('Content-Type', mediaType);
      return this.text.value;
    }
    const pairs = this.fields
      .filter(({ control }) => control.value !== '')
      .map(({ name, control }) => [name, control.value]);
    if (!/^multipart/i.test(mediaType)) return new URLSearchParams(pairs);
    const form = new FormData();
    for (const [name, value] of pairs) form.append(name, value);
    return form;
  }

  async #send() {
    const address = URL.parse(this.#address(true));
    if (address === null || address.origin === location.origin || !allowed.includes(address.origin)) {
      this.#say(say(words.onlyTo, { hosts: allowed.join(', ') }));
      return;
    }
    this.button.disabled = true;
    this.#say(words.sending);
    const start = performance.now();
    try {
      const headers = this.#headers();
      const body = this.#payload(headers);
      const answer = await fetch(address, {
        method: this.call.method,
        headers,
        body,
        mode: 'cors',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const took = Math.round(performance.now() - start);
      this.answer.replaceChildren(...(await answerParts(answer, took)));
    } catch (error) {
      this.#say(reasonOf(error, address));
    } finally {
      this.button.disabled = false;
    }
  }

  #say(sentence) {
    this.answer.replaceChildren(make('p', {}, sentence));
  }
}

function parameterControl({ isRequired, hint, values, in: place }) {
  const required = isRequired || place === 'path';
  if (values.length > 0) {
    const options = values.map((value) => ({ value }));
    const control = choice(required ? options : [{ value: '', text: '' }, ...options]);
    control.required = required;
    return control;
  }
  return make('input', {
    type: 'text',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: hint,
    required,
  });
}

function credentialControls({ label, prefix }) {
  const secret = () => make('input', { type: 'password', autocomplete: 'off' });
  if (prefix !== 'Basic ') return [{ title: label, control: secret() }];
  const user = make('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
  return [
    { title: say(words.userOf, { name: label }), control: user },
    { title: say(words.passwordOf, { name: label }), control: secret() },
  ];
}

function secretOf(controls) {
  const values = controls.map(({ control }) => control.value);
  if (values.length === 1 || values.every((value) => value === '')) return values[0];
  return btoa(String.fromCharCode(...new TextEncoder().encode(values.join(':'))));
}

const SEPARATORS = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Lists are typed with commas, objects as JSON. */
function queryOf({ name, style }, value) {
  if (value === '') return [];
  if (style === '') return [[name, value]];
  const [kind, explode] = style.split(' ');
  const members = objectIn(value);
  if (members !== null) {
    const pairs = Object.entries(members).map(([key, one]) => [key, textOf(one)]);
    if (kind === 'deepObject') return pairs.map(([key, one]) => [`${name}[${key}]`, one]);
    return explode === 'true' ? pairs : [[name, pairs.flat().join(',')]];
  }
  const items = value.split(',').map((item) => item.trim());
  if (explode === 'true') return items.map((item) => [name, item]);
  return [[name, items.join(SEPARATORS[kind] ?? ',')]];
}

function objectIn(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function textOf(value) {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

async function answerParts(answer, took) {
  const { text, isCut } = await readText(answer);
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return [
    make('p', {}, ...tookParts(`${answer.status} ${answer.statusText}`.trim(), took)),
    ...(headers === ''
      ? []
      : [
          make(
            'details',
            {},
            make('summary', {}, words.headers),
            make('pre', { tabindex: 0 }, make('code', {}, headers)),
          ),
        ]),
    ...(text === '' ? [] : [make('pre', { tabindex: 0 }, make('code', {}, text))]),
    ...(isCut ? [make('p', {}, words.cut)] : []),
  ];
}

/** How long an answer took, with its status in bold. */
function tookParts(status, ms) {
  const [before, after] = say(words.took, { ms }).split('{status}');
  return [before, make('strong', {}, status), after];
}

/** What was sent as text, as text and never as anything else; JSON over several lines. */
async function readText(answer) {
  const chunks = [];
  let size = 0;
  const reader = answer.body?.getReader();
  while (reader && size <= MAX_SHOWN) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  const isCut = size > MAX_SHOWN;
  if (isCut) await reader.cancel();
  const type = answer.headers.get('content-type') ?? '';
  if (size > 0 && /^(?:image|audio|video|font)\/|octet-stream|zip|pdf/i.test(type) && !/svg/i.test(type))
    return {
      text: say(words.bytes, { count: `${isCut ? '> ' : ''}${Math.min(size, MAX_SHOWN)}`, type }),
      isCut: false,
    };
  const text = (await new Blob(chunks).slice(0, MAX_SHOWN).text()).slice(0, MAX_SHOWN);
  if (isCut) return { text, isCut };
  try {
    return { text: JSON.stringify(JSON.parse(text), null, 2), isCut };
  } catch {
    return { text, isCut };
  }
}

function reasonOf(error, { origin }) {
  if (error.name === 'TimeoutError') return say(words.late, { host: origin, seconds: PATIENCE_MS / 1000 });
  const reason = say(words.noAnswer, { host: origin, own: location.origin });
  return error instanceof TypeError && /fetch|network|load/i.test(error.message)
    ? reason
    : `${error.message}`;
}

for (const operation of article.querySelectorAll('.operation[data-call]')) {
  const call = JSON.parse(operation.dataset.call);
  const samples = operation.querySelector('.operation-samples');
  const chooser = new ServerChooser(call, samples);
  choosers.push(chooser);
  if (call.request && allowed.length > 0) new RequestForm({ call, chooser, operation: samples });
}
