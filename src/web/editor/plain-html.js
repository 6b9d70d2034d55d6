import { LanguageSupport, StreamLanguage } from '@codemirror/language';

/** In the place of `@codemirror/lang-html` in the bundle: HTML in Markdown is shown without colours. */
export function html() {
  return new LanguageSupport(
    StreamLanguage.define({
      token(stream) {
        stream.skipToEnd();
        return null;
      },
    }),
  );
}

export function htmlCompletionSource() {
  return null;
}
