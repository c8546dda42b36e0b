import type { Renaming, Way } from './words/renaming.ts';

/**
 * The value of a header, by its neutral name: an address in `location`; in those of the platform's own the places of
 * warnings, `RULE;path="spec.x";message="…"`, as a list of RFC 8941 writes them. All others stay.
 */
export function headerValue(
  name: string,
  value: string,
  {
    addresses,
    paths,
    messages,
  }: { readonly addresses: Renaming; readonly paths: Renaming; readonly messages: Renaming },
  way: Way,
): string {
  if (name === 'location') return addresses[way](value);
  if (!name.startsWith('x-scheme-')) return value;
  const parameters = /;(path|message)="((?:[^"\\]|\\.)*)"/g;
  return value.replace(parameters, (_, parameter: string, written: string) => {
    const text = written.replaceAll(/\\(.)/g, '$1');
    const other = (parameter === 'path' ? paths : messages)[way](text);
    return `;${parameter}="${other.replaceAll(/["\\]/g, '\\$&')}"`;
  });
}
