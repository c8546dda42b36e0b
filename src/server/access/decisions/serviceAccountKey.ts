/** The account and the name of a key, parsed from the key itself. */
export interface KeyOwner {
  readonly org: string;
  readonly account: string;
  /** The name of the key: the text before its first dot. */
  readonly key: string;
}

export interface Coding {
  readonly base64url: (text: string) => string;
  /** Accepts any text: invalid input gives arbitrary text, never an error. */
  readonly textOfBase64url: (text: string) => string;
}

/** Format: `s<10 random>.<base64url of org.account.random>.<random>` (platform/access.tokens). Undefined: not a key. */
export function keyOwner(token: string, { textOfBase64url }: Coding): KeyOwner | undefined {
  const [key = '', owner = '', secret = '', ...more] = token.split('.');
  if (!key.startsWith('s') || owner === '' || secret === '' || more.length > 0) return undefined;
  const [org = '', account = '', random = ''] = textOfBase64url(owner).split('.');
  return org === '' || account === '' || random === '' ? undefined : { org, account, key };
}

/** `randomText`: unguessable letters and digits of this length. */
export function newKey(
  org: string,
  account: string,
  { base64url }: Coding,
  randomText: (length: number) => string,
): { readonly name: string; readonly key: string } {
  const name = `s${randomText(10)}`;
  return { name, key: `${name}.${base64url(`${org}.${account}.${randomText(16)}`)}.${randomText(40)}` };
}
