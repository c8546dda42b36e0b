import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type Context } from 'oidc-provider';

export const realClient = { id: 'gantry', secret: 'a-secret-of-the-real-client' };

const form = `<!doctype html><html lang="en"><title>The provider</title>
<form method="post"><label>Name <input name="login" autofocus></label><button>Continue</button></form></html>`;

/**
 * A certified, independent OpenID Connect provider in this process. A person's address is their name, and `groups` has
 * their groups. Its host is `localhost`, so a browser treats it as another site than `127.0.0.1`. `page`: the origin to
 * which people return.
 */
export async function startRealIssuer(groups: Readonly<Record<string, readonly string[]>>, page: string) {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server has a port');
  const url = `http://localhost:${address.port}`;
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const provider = new Provider(url, {
    clients: [
      {
        ...{ client_id: realClient.id, client_secret: realClient.secret, redirect_uris: [`${page}/-sign-in/callback`] },
        post_logout_redirect_uris: [`${page}/`],
        ...{ token_endpoint_auth_method: 'client_secret_basic', id_token_signed_response_alg: 'ES256' },
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'email', 'groups'],
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 600, IdToken: 60, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig', kid: 'one' }] },
    cookies: { keys: ['a key of the cookies'] },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        logoutSource(context: { body: string }, ask: string) {
          context.body = `<!doctype html><html lang="en"><title>The provider</title>${ask}
<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>
<button form="op.logoutForm">No, stay signed in</button></html>`;
        },
      },
    },
    interactions: { url: (_: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, groups: groups[id] ?? [] }),
    }),
    /** Consent is never requested: the client belongs to the same organization. */
    async loadExistingGrant({ oidc: { client, session } }: Context) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email groups');
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response);
    if (request.method === 'GET') return response.setHeader('content-type', 'text/html').end(form);
    void text(request).then((body) => {
      const accountId = new URLSearchParams(body).get('login');
      return provider.interactionFinished(request, response, { login: { accountId } });
    });
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
