import { bootstrapUser } from '../../schema/decisions.ts';
import { own } from '../../schema/json.ts';
import type { Caller } from './caller.ts';
import { keysOf } from './findRow.ts';
import type { Platform, Service } from './platform.ts';

/** Who is behind an `Authorization` header in an org; nobody where it opens no door there. */
export type Door = (platform: Platform, authorization: string | undefined) => Promise<Caller | undefined>;

/**
 * The configured token and the keys of service accounts open it, with or without `Bearer ` (specification 5, protocol
 * 1.1). Digests are compared, never the values, so that the time it takes says nothing about them. Without a token
 * everybody is let in, and nothing is refused.
 */
export function doorOf(token: string | undefined, digest: (text: string) => string): Door {
  if (token === undefined) return async (platform) => admin(platform, true);
  const expected = digest(token);
  return async (platform, authorization = '') => {
    const given = authorization.replace(/^bearer\s+/i, '').trim();
    return digest(given) === expected ? admin(platform, false) : callerWithKey(platform, given);
  };
}

/** The bootstrap user: a member of `superusers` in every org. */
function admin({ org }: Platform, unrestricted: boolean): Caller {
  const email = bootstrapUser;
  return { link: `/org/${org}/user/${email}`, kind: 'user', name: email, email, unrestricted };
}

/** What the platform does by itself. */
export function platformCaller(service: Service): Caller {
  const { home } = service;
  return { link: `/org/${home}/serviceaccount/platform`, kind: 'serviceaccount', name: 'platform', unrestricted: true };
}

/** `<key name>.<base64url of org.account.random>.<random>` (protocol 1.2): the middle part says where to look. */
async function callerWithKey(platform: Platform, given: string): Promise<Caller | undefined> {
  const [, owner, secret, more] = given.split('.');
  if (owner === undefined || secret === undefined || more !== undefined) return undefined;
  const [org, name] = platform.textOfBase64url(owner).split('.');
  if (org !== platform.org || name === undefined) return undefined;
  const row = await platform.store.read((tx) => tx.get({ kind: 'serviceaccount', name }));
  if (row === undefined) return undefined;
  const digest = platform.digest(given);
  if (!keysOf(row).some((key) => own(key, 'digest') === digest)) return undefined;
  return { link: `/org/${org}/serviceaccount/${name}`, kind: 'serviceaccount', name, unrestricted: false };
}
