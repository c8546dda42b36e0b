import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { JsonObject } from '../../../src/base/json/json.ts';

/** How an issuer is faulty, or differs from other issuers. */
export interface Habits {
  /** Of the ID token. */
  readonly issuer?: string;
  readonly audience?: string;
  readonly nonce?: string;
  /** Seconds since it has expired. */
  readonly endedS?: number;
  readonly isSignedByAnother?: boolean;
  readonly hasNoToken?: boolean;
  /** Of its metadata. */
  readonly calledIssuer?: string;
  readonly proofs?: readonly string[];
  readonly endsSessions?: boolean;
  /** The answer of the token endpoint. */
  readonly tokenAnswer?: { readonly status: number; readonly body: string; readonly type?: string };
  /** Only the userinfo endpoint returns claims, with this subject. */
  readonly userInfoOf?: string;
}

export interface SmallIssuer extends AsyncDisposable {
  readonly url: string;
  /** The claims of the next person who signs in. */
  person: JsonObject;
  habits: Habits;
  /** The number of requests for each path. */
  readonly asked: Map<string, number>;
  /** The address to which the browser of this person returns, if it was sent to `sentTo`. */
  returns(sentTo: string): string;
  stop(): Promise<void>;
  /** Starts again at the same address. */
  start(): Promise<void>;
}

export const client = { id: 'gantry', secret: 'a-client-secret' };

/** An OpenID Connect provider in this process that can be made faulty. It checks a client's credentials. */
export async function startIssuer(): Promise<SmallIssuer> {
  const keys = await generateKeyPair('ES256');
  const others = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  const codes = new Map<string, URLSearchParams>();
  const people = new Map<string, JsonObject>();
  let server: Server;
  let port = 0;

  async function idToken({ subject, ...claims }: JsonObject & { subject: string }, nonce: string): Promise<string> {
    const { issuer: from = issuer.url, audience = client.id, endedS, isSignedByAnother, ...habits } = issuer.habits;
    const nowS = Math.floor(Date.now() / 1000);
    return new SignJWT({ ...claims, nonce: habits.nonce ?? nonce })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setSubject(subject)
      .setIssuer(from)
      .setAudience(audience)
      .setIssuedAt(nowS - 60)
      .setExpirationTime(endedS === undefined ? nowS + 300 : nowS - endedS)
      .sign(isSignedByAnother === true ? others.privateKey : keys.privateKey);
  }

  async function tokens(request: IncomingMessage): Promise<{ readonly status: number; readonly body: JsonObject }> {
    const given = new URLSearchParams(await text(request));
    const basic = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    const [id, secret] =
      basic === '' ? [given.get('client_id'), given.get('client_secret')] : basic.split(':').map(decodeURIComponent);
    if (id !== client.id || secret !== client.secret) return { status: 401, body: { error: 'invalid_client' } };
    const code = given.get('code') ?? '';
    const asked = codes.get(code);
    codes.delete(code);
    const challenge = createHash('sha256')
      .update(given.get('code_verifier') ?? '')
      .digest('base64url');
    if (asked?.get('code_challenge') !== challenge || asked.get('redirect_uri') !== given.get('redirect_uri')) {
      return { status: 400, body: { error: 'invalid_grant' } };
    }
    const { sub, ...claims } = people.get(code) ?? {};
    const { hasNoToken, userInfoOf } = issuer.habits;
    const said = { subject: String(sub), ...(userInfoOf === undefined ? claims : {}) };
    const token = hasNoToken === true ? {} : { id_token: await idToken(said, asked.get('nonce') ?? '') };
    return { status: 200, body: { access_token: code, token_type: 'Bearer', ...token } };
  }

  async function answer(
    request: IncomingMessage,
  ): Promise<{ status: number; body: JsonObject | string; type?: string }> {
    const { pathname } = new URL(request.url ?? '', issuer.url);
    issuer.asked.set(pathname, (issuer.asked.get(pathname) ?? 0) + 1);
    const { calledIssuer = issuer.url, proofs = ['client_secret_post'], ...habits } = issuer.habits;
    const { tokenAnswer, userInfoOf, endsSessions } = habits;
    switch (pathname) {
      case '/.well-known/openid-configuration':
        return {
          status: 200,
          body: {
            issuer: calledIssuer,
            authorization_endpoint: `${issuer.url}/authorize`,
            token_endpoint: `${issuer.url}/token`,
            jwks_uri: `${issuer.url}/keys`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['ES256'],
            token_endpoint_auth_methods_supported: proofs,
            prompt_values_supported: ['login'],
            ...(userInfoOf === undefined ? {} : { userinfo_endpoint: `${issuer.url}/userinfo` }),
            ...(endsSessions === true ? { end_session_endpoint: `${issuer.url}/end?of=here` } : {}),
          },
        };
      case '/keys':
        return { status: 200, body: { keys: [JSON.parse(JSON.stringify(jwk))] } };
      case '/token':
        return tokenAnswer ?? tokens(request);
      case '/userinfo': {
        const { sub: _, ...claims } = people.get((request.headers.authorization ?? '').replace('Bearer ', '')) ?? {};
        return { status: 200, body: { ...claims, sub: userInfoOf ?? '' } };
      }
      default:
        return { status: 404, body: 'not found' };
    }
  }

  const issuer: SmallIssuer = {
    url: '',
    person: {},
    habits: {},
    asked: new Map(),
    returns(sentTo) {
      const asked = new URL(sentTo).searchParams;
      const code = randomUUID();
      codes.set(code, asked);
      people.set(code, issuer.person);
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.search = String(new URLSearchParams({ code, state: asked.get('state') ?? '' }));
      return back.href;
    },
    async start() {
      server = createServer((request, response) => {
        void answer(request).then(({ status, body, type = 'application/json' }) => {
          response.writeHead(status, { 'content-type': type, connection: 'close' });
          response.end(typeof body === 'string' ? body : JSON.stringify(body));
        });
      });
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('a server has a port');
      port = address.port;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    [Symbol.asyncDispose]: () => issuer.stop(),
  };
  await issuer.start();
  return Object.assign(issuer, { url: `http://127.0.0.1:${port}` });
}

/** The claims of a person whose address is verified. */
export function personCalled(name: string, more: JsonObject = {}): JsonObject {
  return { sub: `subject-of-${name}`, email: `${name}@example.com`, email_verified: true, groups: [], ...more };
}
