import { own } from '../../base/json/json.ts';
import { isNamedByEmail } from '../../kinds/kindFacts.ts';
import { isCallerKind } from '../../schema/record/kinds.ts';
import { linkOf, parseLink, type Ref } from '../../schema/record/ref.ts';
import type { Caller } from '../core/caller.ts';
import type { Platform, Service } from '../core/platform.ts';
import { findRow, keysOf } from '../core/rows.ts';
import { bearerToken } from '../http/bearerToken.ts';
import { bootstrapUser } from '../http/limits.ts';
import { noLimit, type Row, refOfRow, type Transaction } from '../store/model/row.ts';
import { isFor, isPending } from '../tasks/decisions/task.ts';
import { keyOwner, type StaticToken } from './decisions/tokens.ts';

/** The caller of an `Authorization` header. */
export interface Admission {
  /** The org of the caller; absent for all orgs. */
  readonly org?: string;
  readonly callerIn: (platform: Platform) => Caller;
}

/** Resolves to undefined if the token is missing, wrong, revoked or expired. */
export type Authenticate = (service: Service, authorization: string | undefined) => Promise<Admission | undefined>;

export interface Tokens {
  /** The token of the bootstrap user. If undefined, every caller is admitted and nothing is refused. */
  readonly token: string | undefined;
  readonly staticTokens: readonly StaticToken[];
  readonly digest: (text: string) => string;
}

/**
 * Accepts the configured tokens and the keys of service accounts, with or without `Bearer ` (platform/access.tokens,
 * platform/wire.headers). Digests are compared, never values, so that timing reveals nothing.
 */
export function authenticator({ token, staticTokens, digest }: Tokens): Authenticate {
  if (token === undefined) return async () => ({ callerIn: (platform) => bootstrapCaller(platform, true) });
  const expected = digest(token);
  const known = new Map(staticTokens.map((other) => [digest(other.token), other]));
  return async (service, authorization) => {
    const sent = bearerToken(authorization);
    const digested = digest(sent);
    if (digested === expected) return { callerIn: (platform) => bootstrapCaller(platform, false) };
    const other = known.get(digested);
    return other === undefined ? authenticateKey(service, sent) : authenticateToken(service, other);
  };
}

/** The bootstrap user: a member of `superusers` in every org. */
function bootstrapCaller({ org }: Platform, unrestricted: boolean): Caller {
  const email = bootstrapUser;
  return { link: `/org/${org}/user/${email}`, kind: 'user', name: email, email, unrestricted };
}

/** Accepts a configured token if its principal exists or is invited. */
async function authenticateToken(
  service: Service,
  { principal, expiresMs }: StaticToken,
): Promise<Admission | undefined> {
  const parsed = parseLink(principal, { org: service.home });
  const platform = parsed === undefined ? undefined : await service.of(parsed.org);
  if (parsed === undefined || platform === undefined) return undefined;
  if (expiresMs !== undefined && platform.now() >= expiresMs) return undefined;
  return platform.store.read((tx) => {
    const row = findRow(tx, parsed.ref);
    return row === undefined ? admitInvited(tx, parsed.ref, parsed.org) : admissionOf(row, parsed.org);
  });
}

/** Admits an invited user, who can only answer the invitation, because policies apply to existing users only. */
function admitInvited(tx: Transaction, { kind, name }: Ref, org: string): Admission | undefined {
  const email = name.toLowerCase();
  const hasInvitation =
    isNamedByEmail(kind) &&
    tx.select({ kind: 'task', limit: noLimit }).some((task) => isFor(task.record, email) && isPending(task));
  const caller: Caller = {
    link: linkOf({ kind: 'user', name: email }, org),
    kind: 'user',
    name: email,
    email,
    unrestricted: false,
  };
  return hasInvitation ? { org, callerIn: () => caller } : undefined;
}

/** Accepts a key, whose middle part names its account (platform/access.tokens). */
async function authenticateKey(service: Service, key: string): Promise<Admission | undefined> {
  const home = await service.of(service.home);
  const owner = home === undefined ? undefined : keyOwner(key, home);
  const platform = owner === undefined ? undefined : await service.of(owner.org);
  if (owner === undefined || platform === undefined) return undefined;
  const row = await platform.store.read((tx) => tx.get({ kind: 'serviceaccount', name: owner.account }));
  if (row === undefined) return undefined;
  const digest = platform.digest(key);
  const isKnownKey = keysOf(row).some((key) => own(key, 'name') === owner.key && own(key, 'digest') === digest);
  return isKnownKey ? admissionOf(row, owner.org) : undefined;
}

function admissionOf(row: Row, org: string): Admission | undefined {
  const { kind, name } = row;
  if (!isCallerKind(kind)) return undefined;
  const base = { link: linkOf(refOfRow(row), org), kind, name, unrestricted: false };
  const caller: Caller = isNamedByEmail(kind) ? { ...base, email: name } : base;
  return { org, callerIn: () => caller };
}
