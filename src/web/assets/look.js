// Shows the sample of a look while it is entered. Without this script, a button does.
const form = document.querySelector('form[data-look]');
const button = document.querySelector('[formtarget]');
let shown = document.querySelector('.look-frame');
let coming = null;
let shows = 0;
let timer;

document.addEventListener('input', ({ target }) => {
  if (target.form !== form) return;
  // What it says of a color is of the one before; the sample says it of this one.
  if (target.type === 'color') document.getElementById(`${target.id}-hint`)?.remove();
  clearTimeout(timer);
  timer = setTimeout(show, 300);
});

// A sample that is asked for while the form is being saved would take the place of saving it.
form.addEventListener('submit', ({ submitter }) => {
  if (submitter !== button) clearTimeout(timer);
});

// In a frame of its own each time: what a new frame shows first is no step of the browser's history.
function show() {
  coming?.remove();
  const frame = shown.cloneNode();
  frame.removeAttribute('src');
  shows += 1;
  frame.name = `docloom-sample-${shows}`;
  frame.classList.add('is-coming');
  coming = frame;
  shown.after(frame);
  button.formTarget = frame.name;
  frame.addEventListener('load', () => {
    if (frame !== coming) return;
    frame.classList.remove('is-coming');
    shown.remove();
    shown = frame;
    coming = null;
  });
  form.requestSubmit(button);
}
