import { stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  At,
  choice,
  list,
  name,
  object,
  optional,
  sentenceOf,
  textLike,
  textOf,
  tryRead,
} from '../../base/form/read.ts';
import type { JsonValue } from '../../base/json/json.ts';
import { present } from '../../base/json/present.ts';
import { leadsToLoopback, readHost } from '../../base/text/hostName.ts';
import { ToolError } from '../../base/toolError.ts';
import { readDocumentFile } from '../../project/files/documentFile.ts';
import { claimLines, issuerName, personId, personName, roleOf } from '../decisions/person.ts';
import { roles, type SecretReference, type SignInSettings } from '../model.ts';
import type { Sessions } from '../store/sessions.ts';
import type { LogEntry } from '../work/surroundings.ts';
import type { Caller, KnownToken } from './access.ts';
import { sendFailure } from './documents.ts';
import type { Issuer } from './issuer.ts';

export interface SignInOptions {
  /** The present settings. Undefined if sign-in is not configured. */
  readonly settings: () => SignInSettings | undefined;
  /** Errors: `reconcile.secret`. */
  readonly secret: (reference: SecretReference, about: string) => Promise<string>;
  readonly sessions: Pick<Sessions, keyof Sessions>;
  readonly log: (entry: LogEntry) => void;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

const signInPath = '/-sign-in';
const returnPath = `${signInPath}/callback`;
export function isSignIn(path: string): boolean {
  return path === signInPath || path === returnPath;
}

/** Limit for a sign-in at the issuer. */
const attemptS = 600;
/** Each request for sign-in makes this worker call the issuer: at most this many in a burst, then one per second. */
const mostAttempts = 60;

const attemptForm = object({
  state: textOf({ least: 16 }),
  nonce: textOf({ least: 16 }),
  verifier: textOf({ least: 43 }),
  to: textOf({ most: 600 }),
});

/** Sign-in to the page by OpenID Connect. A session is a random text in a cookie; the store has its digest. */
export class SignIn {
  readonly #options: SignInOptions;
  #issuer: Promise<Issuer> | undefined;
  #attempts = mostAttempts;
  #attemptsMs = 0;
  /** The address of the page, if it is on loopback. */
  readonly #served: () => string | undefined;

  constructor(options: SignInOptions, served: () => string | undefined) {
    this.#options = options;
    this.#served = served;
  }

  /** The issuer's own name; undefined without sign-in. */
  get issuer(): string | undefined {
    return this.#options.settings()?.issuer;
  }

  /** The issuer's displayed name for the button; undefined without sign-in. */
  get name(): string | undefined {
    const settings = this.#options.settings();
    return settings && issuerName(settings);
  }

  /** Whether browsers use a name for the page that is also reachable from other machines. */
  get isPublic(): boolean {
    const url = this.#options.settings()?.url;
    return url !== undefined && !leadsToLoopback(new URL(url));
  }

  /** The sender of a request, with the present role. Undefined if not signed in, or without a role. */
  async callerOf(request: IncomingMessage): Promise<Caller | undefined> {
    const settings = this.#options.settings();
    const secret = cookiesOf(request).get(this.#names.session);
    if (settings === undefined || secret === undefined) return undefined;
    const signedIn = await this.#options.sessions.find(secret);
    const role = signedIn && roleOf(settings, signedIn);
    return (
      signedIn && role && { name: personName(settings, signedIn), role, person: personId(signedIn), hasSession: true }
    );
  }

  /** Ends a browser's session, on every worker. `at`: the address that ends the issuer's session, if it has one. */
  async end(request: IncomingMessage): Promise<{ readonly cookies: readonly string[]; readonly at?: string }> {
    const { sessions, settings } = this.#options;
    const cookies = [this.#cookie(this.#names.session, '', 0)];
    const secret = cookiesOf(request).get(this.#names.session);
    const signedIn = secret === undefined ? undefined : await sessions.find(secret);
    if (secret !== undefined) await sessions.end(secret);
    const signInSettings = settings();
    if (signedIn === undefined || signInSettings === undefined || signedIn.issuer !== signInSettings.issuer)
      return { cookies };
    // The local session has ended, whatever the issuer does.
    const at = await this.#client()
      .then((issuer) => issuer.endAddress(signInSettings, `${this.#base(signInSettings)}/`))
      .catch(() => undefined);
    return { cookies, ...present({ at }) };
  }

  /** Responds to the two addresses of sign-in. Returns false for others. */
  async answer(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean> {
    if (request.method !== 'GET' || !isSignIn(url.pathname)) return false;
    const settings = this.#options.settings();
    if (settings === undefined) {
      await sendFailure(response, notFound, new Map([['/', 'Back to the page']]));
      return true;
    }
    try {
      const { to, cookies } =
        url.pathname === signInPath
          ? await this.#redirectToIssuer(settings, request, url)
          : await this.#completeSignIn(settings, request, url);
      response.writeHead(303, { location: to, 'set-cookie': [...cookies], 'cache-control': 'no-store' }).end();
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const { code, message, hint } = error;
      this.#options.log({ level: 'warn', message: `sign-in: ${code}: ${message}` });
      // Only the operator of the worker should see the place of the secret.
      const shown =
        code === 'reconcile.secret'
          ? { message: 'the client secret is missing: the log says where' }
          : { message, hint };
      await sendFailure(response, { ...shown, code, status: statuses.get(code) ?? 400 }, nextLinks);
    }
    return true;
  }

  /** Loaded for the first sign-in. */
  #client(): Promise<Issuer> {
    this.#issuer ??= import('./issuer.ts').then(({ Issuer: Client }) => new Client(this.#options));
    return this.#issuer;
  }

  async #redirectToIssuer(settings: SignInSettings, request: IncomingMessage, url: URL) {
    const base = this.#base(settings);
    if (readHost(request.headers.host)?.text !== readHost(new URL(base).host)?.text) {
      throw failure('reconcile.sign-in', `people sign in at ${base}`, `Open ${base}, and sign in there.`);
    }
    this.#limitAttempts();
    const asksWho = url.searchParams.has('other');
    const { address, attempt } = await (await this.#client()).begin(settings, `${base}${returnPath}`, asksWho);
    const attemptText = JSON.stringify({ ...attempt, to: placeOf(url.searchParams.get('to')) });
    const cookie = Buffer.from(attemptText).toString('base64url');
    await this.#options.sessions.expect(cookie, attemptS * 1000);
    return { to: address, cookies: [this.#cookie(this.#names.attempt, cookie, attemptS)] };
  }

  /** Errors: `reconcile.busy`. */
  #limitAttempts(): void {
    const nowMs = this.#options.nowMs();
    const grown = this.#attempts + Math.max(0, nowMs - this.#attemptsMs) / 1000;
    this.#attemptsMs = nowMs;
    this.#attempts = Math.min(mostAttempts, grown);
    if (this.#attempts < 1) throw failure('reconcile.busy', 'too many people sign in at this moment', 'Try again.');
    this.#attempts -= 1;
  }

  async #completeSignIn(settings: SignInSettings, request: IncomingMessage, url: URL) {
    const { session, attempt: attemptName } = this.#names;
    const cookies = cookiesOf(request);
    const cookie = cookies.get(attemptName) ?? '';
    const attempt = attemptOf(cookie);
    // Checked before the issuer is called, so that forged requests cause no work.
    const isOfThisBrowser = attempt !== undefined && url.searchParams.get('state') === attempt.state;
    if (!isOfThisBrowser || !(await this.#options.sessions.isExpected(cookie))) {
      throw failure(
        'reconcile.sign-in',
        'this answer is for another browser or tab, was used already, or came more than ten minutes later',
        'Sign in again.',
      );
    }
    const returned = new URL(`${this.#base(settings)}${returnPath}${url.search}`);
    const signedIn = await (await this.#client()).finish(settings, returned, attempt);
    const name = personName(settings, signedIn);
    const role = roleOf(settings, signedIn);
    if (role === undefined) {
      const claimsText = claimLines(settings, signedIn).join('; ');
      throw failure('reconcile.role', `${name} has no role here (${claimsText})`, 'Who runs this worker gives roles.');
    }
    const before = cookies.get(session);
    if (before !== undefined) await this.#options.sessions.end(before);
    const secret = await this.#options.sessions.begin(signedIn, settings.sessionMs);
    this.#options.log({ level: 'info', message: `${name} has signed in with the role ${role}` });
    return {
      to: `/${attempt.to}`,
      cookies: [this.#cookie(session, secret, Math.floor(settings.sessionMs / 1000)), this.#cookie(attemptName, '', 0)],
    };
  }

  #base({ url }: SignInSettings): string {
    const base = url ?? this.#served();
    if (base !== undefined) return base;
    throw failure('reconcile.sign-in', 'sign-in needs url on this address', 'Set url of sign-in in reconcile.yaml.');
  }

  /**
   * The cookies' names, with the prefix that other hosts of the same domain cannot set. It needs TLS, as does every
   * address except loopback.
   */
  get #names() {
    const prefix = this.#isSecure ? '__Host-' : '';
    return { session: `${prefix}gantry-session`, attempt: `${prefix}gantry-sign-in` };
  }

  get #isSecure(): boolean {
    return this.#options.settings()?.url?.startsWith('https:') === true;
  }

  #cookie(name: string, value: string, ageS: number): string {
    return `${name}=${value}; Path=/; Max-Age=${ageS}; HttpOnly; SameSite=Lax${this.#isSecure ? '; Secure' : ''}`;
  }
}

/** A path within the page, so redirects cannot lead elsewhere. */
function placeOf(to: string | null): string {
  return to !== null && /^#\/[\w\-.~%@+/]{0,500}$/.test(to) ? to : '';
}

function cookiesOf({ headers }: IncomingMessage): ReadonlyMap<string, string> {
  const parts = (headers.cookie ?? '').split(';').map((part) => part.trim());
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('=')), part.slice(part.indexOf('=') + 1)]));
}

function attemptOf(cookie: string) {
  try {
    const given: JsonValue = JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8'));
    const read = tryRead(() => attemptForm.read(given, new At()));
    return 'value' in read ? read.value : undefined;
  } catch {
    return undefined;
  }
}

function failure(code: string, message: string, hint: string): ToolError {
  return new ToolError({ code, message, hint });
}

const notFound = { status: 404, code: 'reconcile.unknown', message: 'people do not sign in here' };
const statuses = new Map([
  ['reconcile.role', 403],
  ['reconcile.issuer', 502],
  ['reconcile.secret', 500],
  ['reconcile.busy', 429],
]);
const nextLinks = new Map([
  [signInPath, 'Sign in again'],
  [`${signInPath}?other`, 'Sign in as somebody else'],
  ['/', 'Back to the page'],
]);

const tokenFile = object({
  tokens: list(
    object({
      name,
      role: choice(...roles),
      subject: optional(name),
      sha256: textLike((given) => /^[0-9a-f]{64}$/.test(given), 'the SHA-256 of the token, 64 hexadecimal digits'),
    }),
  ),
});

/** The tokens of a file, read again whenever it changes, so that a removed token stops working. */
export class Tokens {
  readonly #path: string | undefined;
  #known: readonly KnownToken[] = [];
  #stamp = '';

  private constructor(path: string | undefined) {
    this.#path = path;
  }

  /** Errors: `file.read`, `reconcile.tokens`. */
  static async open(path: string | undefined): Promise<Tokens> {
    const tokens = new Tokens(path);
    if (path !== undefined) tokens.#known = await readTokens(path);
    return tokens;
  }

  /** Empty while the file cannot be read: the earlier content is not used. */
  async now(): Promise<readonly KnownToken[]> {
    if (this.#path === undefined) return [];
    const found = await stat(this.#path).catch(() => undefined);
    const stamp = found === undefined ? 'none' : `${found.mtimeMs} ${found.ctimeMs} ${found.size} ${found.ino}`;
    if (stamp !== this.#stamp) {
      this.#known = await readTokens(this.#path).catch(() => []);
      this.#stamp = stamp;
    }
    return this.#known;
  }
}

const anyAccessOfOthers = 0o077;

async function readTokens(path: string): Promise<readonly KnownToken[]> {
  const document = await readDocumentFile(path, '--tokens');
  const found = await stat(path);
  if (process.platform !== 'win32' && (found.mode & anyAccessOfOthers) !== 0) {
    throw unsound(path, 'other users may read it', `chmod 600 ${path}`);
  }
  const read = tryRead(() => tokenFile.read(document, new At({ file: path })));
  if ('problems' in read) {
    const hint = 'It is tokens: [{name: TEXT, role: read or approve, sha256: DIGEST}].';
    throw unsound(path, sentenceOf(read.problems[0]), hint);
  }
  const { tokens } = read.value;
  const duplicate = tokens.find(({ sha256 }, at) => tokens.findIndex((other) => other.sha256 === sha256) !== at);
  if (duplicate !== undefined)
    throw unsound(path, `the token of ${duplicate.name} is there twice`, 'Give each its own.');
  return tokens;
}

function unsound(path: string, message: string, hint: string): ToolError {
  return new ToolError({ code: 'reconcile.tokens', message: `${path}: ${message}`, hint, place: { file: path } });
}
