import type { Target } from './target.ts';

/** Names have at most 64 characters (platform/concepts.names). */
const longest = 64;

/** The name of the policy about one target. `stack`: of the one that grants, where it does not make the target. */
export function policyName({ gvc, kind, link, name }: Target, stack: string | undefined): string {
  const parts = ['grants', kind, ...(gvc === undefined ? [] : [gvc]), name];
  const plain = [...parts, ...(stack === undefined ? [] : ['by', stack])].join('--');
  const legal = plain
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
    .replace(/-+$/, '');
  if (legal === plain && plain.length <= longest) return plain;
  const suffix = `-${shortHash(`${link} ${stack ?? ''}`)}`;
  return `${legal.slice(0, longest - suffix.length)}${suffix}`;
}

/** FNV-1a: tells names apart that look the same once they are cut or made legal. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36);
}
