import { isArray, isObject, type JsonValue, own } from '../../base/json/json.ts';
import { parseLink } from '../../schema/record/links.ts';
import { formatRef } from '../../schema/record/ref.ts';
import type { ChangeDocument } from '../documents/planDocument.ts';

/** Somebody who gains or loses something by a change: `+ reveal  identity/acme/finder`. */
export interface AccessChange {
  readonly gained: boolean;
  readonly text: string;
}

type Changed = Pick<ChangeDocument, 'id' | 'kind' | 'fields'>;

/** Bindings, members and external addresses as who gains and who loses what; nothing for other fields. */
export function accessChanges({ id, kind, fields }: Changed): readonly AccessChange[] {
  return fields.flatMap(({ path, old, new: next }) => {
    const [before, after] = [old, next].map((value) => new Set(grantsIn(kind, id, path, value)));
    if (before === undefined || after === undefined) return [];
    const isBlock = path.endsWith('BlockedCIDR');
    return [
      ...[...after.difference(before)].map((text) => ({ gained: !isBlock, text })),
      ...[...before.difference(after)].map((text) => ({ gained: isBlock, text })),
    ];
  });
}

function grantsIn(kind: string, id: string, path: string, value: JsonValue | undefined): readonly string[] {
  if (kind === 'policy' && path === 'bindings') return items(value).flatMap(bindingGrants);
  if (kind === 'group' && path === 'memberLinks') return texts(value).map((link) => `member  ${nameOf(link)}`);
  const direction = /(?:^|\.)firewallConfig\.external\.(inbound|outbound)(?:Allow(?:CIDR|Hostname)|BlockedCIDR)$/.exec(
    path,
  );
  if (direction === null) return [];
  const inbound = direction[1] === 'inbound';
  return texts(value).map((address) =>
    inbound ? `inbound from ${address} to ${id}` : `outbound from ${id} to ${address}`,
  );
}

function bindingGrants(binding: JsonValue): readonly string[] {
  if (!isObject(binding)) return [];
  const principals = texts(own(binding, 'principalLinks')).map(nameOf);
  return texts(own(binding, 'permissions')).flatMap((permission) => principals.map((name) => `${permission}  ${name}`));
}

/** One spelling for links, whatever form they are written in. */
function nameOf(link: string): string {
  const parsed = parseLink(link, { org: '-' });
  return parsed === undefined ? link : formatRef(parsed.ref);
}

function items(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
}

function texts(value: JsonValue | undefined): readonly string[] {
  return items(value).filter((item) => typeof item === 'string');
}
