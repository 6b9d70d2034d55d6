/** What a mail says, without markup. Every text may contain names that users chose. */
export interface MailContent {
  readonly subject: string;
  /** Paragraphs before the button, and after it. */
  readonly text: readonly string[];
  readonly button: { readonly label: string; readonly url: string };
  readonly after: readonly string[];
}

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** In characters. */
const MAX_SUBJECT = 150;

/** Makes the plain text and the HTML of a mail, with the same words. Neither loads anything from anywhere. */
export function renderMail({ subject, text, button, after }: MailContent): RenderedMail {
  return {
    subject: withoutEncodedWords(toOneLine(subject).slice(0, MAX_SUBJECT).toWellFormed()),
    text: [...text, button.url, ...after].map(toOneLine).join('\n\n').concat('\n'),
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:34rem;margin:0 auto">
${text.map(renderParagraph).join('\n')}
<p style="margin:24px 0"><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#0b5d57;color:#ffffff;text-decoration:none">${escapeHtml(button.label)}</a></p>
<p style="margin:0 0 16px;font-size:14px">Or copy this address into your browser:<br><span style="word-break:break-all">${escapeHtml(button.url)}</span></p>
${after.map(renderParagraph).join('\n')}
</div>
</body>
</html>
`,
  };
}

function renderParagraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
}

function escapeHtml(text: string): string {
  return toOneLine(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/**
 * A subject in ASCII goes out as it is, and mail programs decode what begins with `=?` in it (RFC 2047): then names could show
 * what they do not say, such as line breaks.
 */
function withoutEncodedWords(text: string): string {
  return text.replaceAll('=?', '= ?');
}

/** Names cannot add lines, and so no headers and no paragraphs of their own. */
function toOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
