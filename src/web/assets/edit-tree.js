// Drags a file of the tree to another folder: beside the file that it is dropped on. The forms do the same by keyboard.
const tree = document.querySelector('[data-tree]');
let dragged = null;

for (const row of tree.querySelectorAll('[data-path]')) {
  row.draggable = true;
  row.addEventListener('dragstart', (event) => {
    dragged = row;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', row.dataset.path);
  });
  row.addEventListener('dragend', () => {
    dragged = null;
  });
  row.addEventListener('dragover', (event) => {
    if (dragged === null || dragged === row || targetOf(row) === dragged.dataset.path) return;
    event.preventDefault();
    row.classList.add('drop-here');
  });
  row.addEventListener('dragleave', () => row.classList.remove('drop-here'));
  row.addEventListener('drop', (event) => {
    event.preventDefault();
    row.classList.remove('drop-here');
    const form = document.getElementById('docloom-to').form;
    form.elements.namedItem('path').value = dragged.dataset.path;
    form.elements.namedItem('to').value = targetOf(row);
    // What changes is shown before anything is done.
    form.requestSubmit();
  });
}

/** The path of what is dragged in the folder of a row. */
function targetOf(row) {
  const path = dragged.dataset.path;
  const folder = row.dataset.path.slice(0, row.dataset.path.lastIndexOf('/') + 1);
  return folder + path.slice(path.lastIndexOf('/') + 1);
}
