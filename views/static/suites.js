/** Small things of the pages of a suite; each page works without them. */

/** Ticks every page that is shown at once, says how many are ticked, and keeps the buttons off until one is. */
function countTicked(form) {
  const boxes = [...document.querySelectorAll(`input[type="checkbox"][form="${form.id}"]`)];
  const every = document.querySelector('[data-bulk-every]');
  const all = form.elements.namedItem('all');
  const count = form.querySelector('[data-bulk-count]');

  const update = () => {
    const ticked = boxes.filter((box) => box.checked).length;
    const isAll = all !== null && all.checked;
    every.checked = isAll || ticked === boxes.length;
    every.indeterminate = !every.checked && ticked > 0;
    count.textContent = isAll || ticked === 0 ? '' : `${ticked} ticked`;
    for (const button of form.querySelectorAll('button')) button.disabled = !isAll && ticked === 0;
  };

  every.hidden = false;
  every.addEventListener('change', () => {
    for (const box of boxes) box.checked = every.checked;
    if (all !== null && !every.checked) all.checked = false;
    update();
  });
  all?.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
    update();
  });
  for (const box of boxes) {
    box.addEventListener('change', () => {
      if (all !== null && !box.checked) all.checked = false;
      update();
    });
  }
  // The browser may have kept the ticks of a page that was gone back to.
  addEventListener('pageshow', update);
  update();
}

/** Adds empty rows for viewports: without a script there is one at a time. */
function addViewports(table) {
  const button = table.parentElement.querySelector('[data-viewport-add]');
  const most = Number(table.dataset.viewports);
  const body = table.tBodies[0];

  const another = () => {
    const row = body.rows[body.rows.length - 1].cloneNode(true);
    const index = body.rows.length;
    for (const element of row.querySelectorAll('[name], [for], [id]')) {
      for (const name of ['name', 'id', 'for', 'aria-describedby']) {
        const value = element.getAttribute(name);
        if (value !== null) element.setAttribute(name, value.replace(/(viewports[.-])\d+/g, `$1${index}`));
      }
    }
    for (const label of row.querySelectorAll('label')) label.textContent = label.textContent.replace(/\d+$/, index + 1);
    for (const input of row.querySelectorAll('input')) {
      input.value = '';
      input.removeAttribute('aria-invalid');
    }
    for (const error of row.querySelectorAll('.field-error')) error.remove();
    body.append(row);
    row.querySelector('input').focus();
    button.hidden = body.rows.length >= most;
  };

  button.hidden = body.rows.length >= most;
  button.addEventListener('click', another);
}

for (const form of document.querySelectorAll('form[data-bulk]')) countTicked(form);
for (const table of document.querySelectorAll('table[data-viewports]')) addViewports(table);
