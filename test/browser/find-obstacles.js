/**
 * What stands in the way of people who use a keyboard, a screen reader or a small screen; empty for a good page.
 * The rules are those of WCAG 2.2 that can be told from the page itself. Runs in the page, so it is no module.
 */
(() => {
  const found = [];
  const expectOne = (selector) => {
    const { length } = document.querySelectorAll(selector);
    if (length !== 1) found.push(`${length} of ${selector}`);
  };
  const name = (element) => element.outerHTML.slice(0, 120);
  const isShown = (element) => element.checkVisibility() && element.getClientRects().length > 0;

  for (const selector of ['main', 'h1', 'header.top', 'footer.bottom', 'html[lang]']) expectOne(selector);
  if (document.title.trim() === '') found.push('no title');

  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
  for (const id of new Set(ids.filter((one, at) => ids.indexOf(one) !== at)))
    found.push(`two elements #${id}`);

  let level = 0;
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const next = Number(heading.tagName[1]);
    if (heading.closest('.side') === null && next > level + 1 && level > 0)
      found.push(`skips a level: ${name(heading)}`);
    if (heading.closest('.side') === null) level = next;
  }

  for (const input of document.querySelectorAll('input:not([type=hidden]):not([type=checkbox])')) {
    if (!input.labels?.length) found.push(`no label: ${name(input)}`);
  }
  for (const image of document.querySelectorAll('img')) {
    if (!image.hasAttribute('alt')) found.push(`no alternative text: ${name(image)}`);
    if (image.complete && image.naturalWidth === 0) found.push(`broken picture: ${name(image)}`);
  }
  for (const control of document.querySelectorAll('a[href], button')) {
    const label =
      control.textContent?.trim() || control.getAttribute('aria-label') || control.querySelector('img')?.alt;
    if (!label) found.push(`no name: ${name(control)}`);
  }
  for (const cell of document.querySelectorAll('main > * thead th:not([scope])')) {
    if (cell.closest('.content') === null) found.push(`no scope: ${name(cell)}`);
  }
  for (const nav of document.querySelectorAll('nav')) {
    if (!nav.hasAttribute('aria-label') && !nav.hasAttribute('aria-labelledby'))
      found.push(`no name: ${name(nav)}`);
  }
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`scrolls sideways: ${scrollWidth} in ${clientWidth}`);

  // Contrast of text against what is behind it, WCAG 2.2, 1.4.3.
  const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = ([red = 0, green = 0, blue = 0]) => {
    const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = channels(getComputedStyle(one).backgroundColor);
      if ((color[3] ?? 1) > 0.99 && color.length >= 3) return color;
    }
    return [255, 255, 255];
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!element || !walker.currentNode.textContent?.trim() || !isShown(element)) continue;
    if (
      walker.currentNode.textContent.includes('`') &&
      !element.closest('code, pre, textarea, .content, .source-diff')
    )
      found.push(`shows backticks: ${name(element)}`);
    const style = getComputedStyle(element);
    const [light = 0, dark = 0] = [luminance(channels(style.color)), luminance(behind(element))].sort(
      (a, b) => b - a,
    );
    const ratio = (light + 0.05) / (dark + 0.05);
    const large = Number.parseFloat(style.fontSize) >= 24;
    if (ratio < (large ? 3 : 4.5)) found.push(`contrast ${ratio.toFixed(2)}: ${name(element)}`);
  }
  return found;
})();
