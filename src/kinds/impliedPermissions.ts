import { permissions } from './kindFacts.ts';

/** All permissions that these imply on a kind, including themselves. Unknown names imply nothing. */
export function withImplied(kind: string, granted: readonly string[]): ReadonlySet<string> {
  const known = impliedOf(kind);
  return new Set(granted.flatMap((name) => (known.has(name) ? [name, ...(known.get(name) ?? [])] : [])));
}

/** Whether the `granted` permission, as stored in a record, equals or implies the wanted one. */
export function impliesPermission(kind: string, granted: unknown, wanted: string): boolean {
  return granted === wanted || (typeof granted === 'string' && impliedBy(kind, granted).includes(wanted));
}

/** The names of the permissions that a permission implies, also indirectly; none if the kind does not have it. */
export function impliedBy(kind: string, permission: string): readonly string[] {
  return impliedOf(kind).get(permission) ?? [];
}

type Implied = ReadonlyMap<string, readonly string[]>;

/** Cached by kind: needed for each binding of each policy. */
const impliedByKind = new Map<string, Implied>();

function impliedOf(kind: string): Implied {
  const names = permissions.get(kind);
  if (names === undefined) return new Map();
  const found = impliedByKind.get(kind) ?? new Map(names.map((name) => [name, namesImplied(name, names)]));
  impliedByKind.set(kind, found);
  return found;
}

/**
 * `manage` implies everything (platform/access.permissions); `create`, `edit` and `delete` imply `view`; `exec` its
 * commands; and `edit` of a secret implies `reveal`, because an editor can set the values anyway.
 */
function namesImplied(permission: string, names: readonly string[]): readonly string[] {
  const others = names.filter((name) => name !== permission).sort();
  switch (permission) {
    case 'manage':
      return others;
    case 'exec':
      return others.filter((name) => name.startsWith('exec.'));
    case 'edit':
      return others.filter((name) => name === 'view' || name === 'reveal');
    case 'create':
    case 'delete':
      return others.filter((name) => name === 'view');
    default:
      return [];
  }
}
