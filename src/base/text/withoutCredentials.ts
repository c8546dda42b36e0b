/**
 * Prose without users and passwords in its addresses (`postgres://user:password@host`), also those with a slash, which
 * make an address invalid; `:443/` is a port.
 */
export function withoutCredentials(text: string): string {
  return text.replace(/\/\/(?:[^\s/?#]{0,2000}|[^\s/:@]{0,200}:(?!\d+\/)[^\s@]{0,2000})@/g, '//');
}
