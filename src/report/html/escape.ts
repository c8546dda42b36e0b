const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text in an element, or in an attribute between quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (found) => entities[found] ?? found);
}

/** What could end the block or begin a comment in it, and what reorders the source for a reader. */
const unsafe = /[<>&\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** JSON for a block in a page: all that is special there is written as `\uXXXX`, which means the same. */
export function jsonInScript(value: object): string {
  return JSON.stringify(value).replace(unsafe, (found) =>
    Array.from(
      { length: found.length },
      (_, unit) => `\\u${found.charCodeAt(unit).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
