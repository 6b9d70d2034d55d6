/** The text of the first choice in an answer of chat completions; null where it is no such answer. */
export function textOfCompletion(answer: unknown): string | null {
  const { choices } = (answer ?? {}) as { choices?: { message?: { content?: unknown } }[] };
  const content = choices?.[0]?.message?.content;
  return typeof content === 'string' ? content : null;
}

/** The JSON object in a model's text: some put it into a code block, or write text around it. Null where there is none. */
export function objectIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1));
  } catch {
    return null;
  }
}
