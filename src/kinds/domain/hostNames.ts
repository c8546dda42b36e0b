import { getDomain } from 'tldts';

const label = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** A fully qualified host name in lower case with a top-level domain (platform/concepts.names). */
export function isHostName(text: string): boolean {
  const labels = text.split('.');
  return text.length <= 253 && labels.length >= 2 && labels.every((part) => label.test(part));
}

/** The registrable root above a name (or the name itself), by the public suffix list; undefined where there is none. */
export function apexOf(name: string): string | undefined {
  return getDomain(name) ?? undefined;
}

export function isApex(name: string): boolean {
  return apexOf(name) === name;
}

/** `a.b.example.com` gives `b.example.com` and `example.com`: the names of possible parent domains. */
export function parentsOf(name: string): readonly string[] {
  const labels = name.split('.');
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
}
