/** Whether the HTML of a page has the source of a diagram, or text that looks like one. */
export function hasDiagram(html: string): boolean {
  return /<pre [^<>]*class="diagram"/.test(html);
}
