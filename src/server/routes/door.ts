import { own } from '../../schema/json.ts';
import { keysOf } from './findRow.ts';
import type { Platform } from './platform.ts';

/** Whether an `Authorization` header opens the door to a path. */
export type Door = (path: string, authorization: string | undefined) => boolean;

/** What a client reads before it has a token (protocol 1.4). */
const openPaths: ReadonlySet<string> = new Set(['/discovery', '/about']);

/**
 * The configured token and the keys of service accounts open it, with or without `Bearer ` (specification 5, protocol
 * 1.1). Digests are compared, never the values, so that the time it takes says nothing about them.
 */
export function doorOf(platform: Platform, token: string): Door {
  const expected = platform.digest(token);
  return (path, authorization = '') => {
    if (openPaths.has(path)) return true;
    const given = authorization.replace(/^bearer\s+/i, '').trim();
    return platform.digest(given) === expected || isKey(platform, given);
  };
}

/** `<key name>.<base64url of org.account.random>.<random>` (protocol 1.2): the middle part says where to look. */
function isKey(platform: Platform, given: string): boolean {
  const [, owner, secret, more] = given.split('.');
  if (owner === undefined || secret === undefined || more !== undefined) return false;
  const [org, account] = platform.textOfBase64url(owner).split('.');
  if (org !== platform.org || account === undefined) return false;
  const row = platform.store.read((tx) => tx.get({ kind: 'serviceaccount', name: account }));
  if (row === undefined) return false;
  const digest = platform.digest(given);
  return keysOf(row).some((key) => own(key, 'digest') === digest);
}
