import * as client from 'openid-client';
import { isObject, type JsonObject, objectAt, own, stringAt } from '../../base/json/json.ts';
import { compact } from '../../base/json/present.ts';
import { ToolError } from '../../base/toolError.ts';
import { claimsNeeded, issuerName } from '../decisions/person.ts';
import type { SecretReference, SignedIn, SignInSettings } from '../model.ts';

/** The data that a browser stores during sign-in, so that the response works only in this browser. */
export interface SignInAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface IssuerOptions {
  /** Errors: `reconcile.secret`. */
  readonly secret: (reference: SecretReference, about: string) => Promise<string>;
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
}

const answerS = 10;
/** Its endpoints may change. Its keys are read again when a token uses an unknown one. */
const knownMs = 60 * 60_000;
/** Permitted difference between the clocks of this machine and the issuer. */
const toleranceS = 30;

interface Known {
  readonly key: string;
  readonly untilMs: number;
  readonly configuration: Promise<client.Configuration>;
}

/** A client of the OpenID Connect provider, first contacted when a user signs in. */
export class Issuer {
  readonly #options: IssuerOptions;
  #known: Known | undefined;

  constructor(options: IssuerOptions) {
    this.#options = options;
  }

  /**
   * The address where a browser signs in. `asksWho`: even if the issuer knows the user. Errors: `reconcile.issuer`,
   * `reconcile.secret`.
   */
  async begin(settings: SignInSettings, redirectUri: string, asksWho: boolean) {
    const configuration = await this.#configuration(settings);
    const attempt = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const supportedPrompts = configuration.serverMetadata()['prompt_values_supported'];
    const prompt = ['select_account', 'login'].find(
      (each) => Array.isArray(supportedPrompts) && supportedPrompts.includes(each),
    );
    // Few issuers list the supported values, and some fail for an unknown one.
    const reauthentication = prompt === undefined ? { max_age: '0' } : { prompt };
    const address = client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: settings.scopes.join(' '),
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
      ...(asksWho ? reauthentication : {}),
    });
    return { address: address.href, attempt };
  }

  /** The address where a browser ends the issuer's session and then returns; undefined if the issuer has none. */
  async endAddress(settings: SignInSettings, returnAddress: string): Promise<string | undefined> {
    const configuration = await this.#configuration(settings);
    if (configuration.serverMetadata().end_session_endpoint === undefined) return undefined;
    // Without the ID token, which is not stored, the issuer asks the user to confirm.
    return client.buildEndSessionUrl(configuration, { post_logout_redirect_uri: returnAddress }).href;
  }

  /**
   * The person who signed in. `returned`: the whole address that the browser was redirected to. Errors:
   * `reconcile.issuer` (no valid response), `reconcile.sign-in` (refused, or the response is for another browser),
   * `reconcile.secret`.
   */
  async finish(settings: SignInSettings, returned: URL, attempt: SignInAttempt): Promise<SignedIn> {
    const configuration = await this.#configuration(settings);
    const tokens = await client
      .authorizationCodeGrant(configuration, returned, {
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        pkceCodeVerifier: attempt.verifier,
        idTokenExpected: true,
      })
      .catch((error: unknown) => {
        throw failureOf(error, settings);
      });
    const token = tokens.claims();
    if (token === undefined) throw issuerError(settings, 'it has sent no ID token');
    const neededClaims = claimsNeeded(settings);
    const { userinfo_endpoint: more } = configuration.serverMetadata();
    const hasAllClaims = neededClaims.every((claim) => Object.hasOwn(token, claim));
    const userInfo =
      hasAllClaims || more === undefined
        ? {}
        : await client.fetchUserInfo(configuration, tokens.access_token, token.sub).catch((error: unknown) => {
            throw failureOf(error, settings);
          });
    const { issuer, clientId } = settings;
    return { issuer, clientId, subject: token.sub, claims: pickClaims({ ...userInfo, ...token }, neededClaims) };
  }

  async #configuration(settings: SignInSettings): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = settings;
    const secret = clientSecret && (await this.#options.secret(clientSecret, 'the client secret of sign-in'));
    const key = JSON.stringify([issuer, clientId, secret]);
    const nowMs = this.#options.nowMs();
    if (this.#known?.key === key && nowMs < this.#known.untilMs) return this.#known.configuration;
    const configuration = discover(settings, secret);
    this.#known = { key, untilMs: nowMs + knownMs, configuration };
    try {
      return await configuration;
    } catch (error) {
      if (this.#known?.configuration === configuration) this.#known = undefined;
      throw failureOf(error, settings);
    }
  }
}

async function discover(
  { issuer, clientId }: SignInSettings,
  secret: string | undefined,
): Promise<client.Configuration> {
  const server = new URL(issuer);
  // Verifies the token's signature, although the token comes from the issuer itself.
  const execute: client.DiscoveryRequestOptions['execute'] = [client.enableNonRepudiationChecks];
  // Only on this machine: `reconcile.yaml` permits http nowhere else.
  if (server.protocol === 'http:') execute.push(client.allowInsecureRequests);
  const metadata = { [client.clockTolerance]: toleranceS };
  const proof = secret === undefined ? client.None() : client.ClientSecretPost(secret);
  const found = await client.discovery(server, clientId, metadata, proof, { timeout: answerS, execute });
  const known = found.serverMetadata();
  // A multi-tenant issuer has another name in its metadata and tokens.
  if (new URL(known.issuer).href !== issuer) throw new WrongIssuer(known.issuer);
  const proofs = known.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  if (secret === undefined || proofs.includes('client_secret_post')) return found;
  const other = new client.Configuration(known, clientId, metadata, client.ClientSecretBasic(secret));
  other.timeout = answerS;
  for (const extend of execute) extend(other);
  return other;
}

class WrongIssuer extends Error {
  readonly claimedIssuer: string;

  constructor(said: string) {
    super('another issuer');
    this.claimedIssuer = said;
  }
}

function pickClaims(claims: object, needed: readonly string[]): JsonObject {
  // As received: JSON.
  const all: unknown = JSON.parse(JSON.stringify(claims));
  if (!isObject(all)) return {};
  return Object.fromEntries(
    compact(needed, (claim) => {
      const value = own(all, claim);
      return value === undefined ? undefined : [claim, value];
    }),
  );
}

/** The failure without codes, tokens and secrets: only names from the library's error are used. */
function failureOf(error: unknown, settings: SignInSettings): ToolError {
  if (error instanceof ToolError) return error;
  if (error instanceof WrongIssuer)
    return issuerError(settings, `it calls itself ${error.claimedIssuer}`, hints.issuer);
  const details = isObject(error) ? error : {};
  const cause = objectAt(details, 'cause');
  const refusal = stringAt(details, 'error');
  if (refusal !== undefined) {
    const more = stringAt(details, 'error_description');
    const text = `it answers ${refusal.slice(0, 100)}${more === undefined ? '' : ` (${more.slice(0, 300)})`}`;
    const isOfClient = refusal === 'invalid_client' || refusal === 'unauthorized_client';
    return isOfClient ? issuerError(settings, text, hints.client) : signInError(settings, text);
  }
  const code = stringAt(details, 'code');
  switch (code) {
    case 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED':
      return issuerError(settings, 'its token is of another time', hints.clock);
    case 'OAUTH_JWT_CLAIM_COMPARISON_FAILED':
    case 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED': {
      const detail = { ...cause, ...objectAt(cause, 'cause') };
      const name = stringAt(detail, 'claim') ?? stringAt(detail, 'attribute') ?? 'claim';
      if (name !== 'issuer') return issuerError(settings, `its answer has another ${name} than it should have`);
      return issuerError(settings, `it calls itself ${stringAt(objectAt(detail, 'body'), 'issuer')}`, hints.issuer);
    }
    case 'OAUTH_TIMEOUT':
      return issuerError(settings, `it does not answer within ${answerS} s`, hints.away);
    case 'OAUTH_RESPONSE_IS_NOT_CONFORM':
    case 'OAUTH_RESPONSE_IS_NOT_JSON':
    case 'OAUTH_PARSE_ERROR':
      return issuerError(settings, 'what it answers is not OpenID Connect', hints.issuer);
    default: {
      if (code === undefined && error instanceof TypeError) {
        return issuerError(settings, `it cannot be reached (${stringAt(cause, 'code') ?? error.message})`, hints.away);
      }
      const why = stringAt(cause, 'message') ?? stringAt(details, 'message') ?? code ?? 'no reason';
      return issuerError(settings, `its answer does not hold: ${why}`);
    }
  }
}

const hints = {
  again: 'Sign in again.',
  issuer: 'Correct issuer of sign-in in reconcile.yaml.',
  client: 'Correct client-id and client-secret of sign-in in reconcile.yaml.',
  clock: `The clocks of this machine and of the issuer may differ by ${toleranceS} s: set them.`,
  away: 'Tokens of the file go on working.',
};

function issuerError(settings: SignInSettings, why: string, hint = hints.again): ToolError {
  return new ToolError({ code: 'reconcile.issuer', message: `${issuerName(settings)}: ${why}`, hint });
}

function signInError(settings: SignInSettings, why: string): ToolError {
  return new ToolError({ code: 'reconcile.sign-in', message: `${issuerName(settings)}: ${why}`, hint: hints.again });
}
