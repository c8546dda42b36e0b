import type { JsonObject, JsonValue } from '../../../src/base/json/json.ts';
import { Dice } from '../../fuzz/dice.ts';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** Unique values to use as secrets. The values of two rounds have nothing in common. */
export class Canaries {
  readonly #dice: Dice;
  readonly #values: string[] = [];

  constructor(round: string) {
    this.#dice = new Dice(`canary ${round}`);
  }

  get values(): readonly string[] {
    return this.#values;
  }

  /** So many characters that occur nowhere else. */
  text(length = 24, alphabet = letters): string {
    const value = Array.from({ length }, () => alphabet[this.#dice.whole(alphabet.length)]).join('');
    this.#values.push(value);
    return value;
  }

  /** With quotes, line ends, backslashes, and characters that HTML and URLs escape. */
  awkward(): string {
    const value = Array.from(
      { length: 12 },
      (_, index) => `${this.text(3)}${['"', '\n', '\\', "'", '&', ' '][index % 6]}`,
    ).join('');
    this.#values.push(value);
    return value;
  }

  base64(): string {
    return Buffer.from(this.text(33)).toString('base64');
  }

  #pem(label: string): string {
    return `-----BEGIN ${label}-----\n${this.text(64)}\n${this.text(64)}\n-----END ${label}-----\n`;
  }

  #uuid(): string {
    const part = (length: number) => this.text(length, '0123456789abcdef');
    const value = [part(8), `4${part(3)}`, `4${part(3)}`, `8${part(3)}`, part(12)].join('-');
    this.#values.push(value);
    return value;
  }

  /** Values of `data`, at least one for each of the 12 types (platform/secret). */
  data(): Readonly<Record<string, readonly JsonValue[]>> {
    const key = () => this.#pem('PRIVATE KEY');
    const aws = (): JsonObject => ({
      accessKey: `AKIA${this.text(16, capitals)}`,
      secretKey: this.text(40),
      roleArn: `arn:aws:iam::123456789012:role/${this.text()}`,
      externalId: this.text(),
    });
    const gcp = {
      type: 'service_account',
      project_id: this.text(),
      private_key_id: this.text(40),
      private_key: key(),
      client_email: `${this.text()}@example.com`,
      client_id: this.text(21, '0123456789'),
      auth_uri: 'https://accounts.google.com/o/oauth2/auth',
      token_uri: 'https://oauth2.googleapis.com/token',
      auth_provider_x509_cert_url: 'https://www.googleapis.com/oauth2/v1/certs',
      client_x509_cert_url: `https://www.googleapis.com/robot/v1/metadata/x509/${this.text()}`,
    };
    const azure = {
      subscriptionId: this.#uuid(),
      tenantId: this.#uuid(),
      clientId: this.#uuid(),
      clientSecret: this.text(40),
    };
    return {
      opaque: [
        { payload: this.text() },
        { payload: this.awkward() },
        { payload: this.base64(), encoding: 'base64' },
        { payload: this.text(4096) },
      ],
      dictionary: [{ one: this.text(), two: this.awkward(), three: this.text(300) }],
      userpass: [{ username: this.text(), password: this.awkward() }],
      tls: [{ cert: this.#pem('CERTIFICATE'), key: key(), chain: this.#pem('CERTIFICATE') }],
      keypair: [{ secretKey: key(), publicKey: this.text(80), passphrase: this.text() }],
      aws: [aws()],
      ecr: [{ ...aws(), repos: [`111122223333.dkr.ecr.us-west-2.amazonaws.com/${this.text(24).toLowerCase()}`] }],
      docker: [
        JSON.stringify({ auths: { 'registry.example.com': { username: this.text(), password: this.awkward() } } }),
      ],
      gcp: [JSON.stringify(gcp)],
      'azure-sdk': [JSON.stringify(azure)],
      'azure-connector': [{ url: `https://connector.example.com/${this.text()}`, code: this.text(56) }],
      'nats-account': [{ accountId: `A${this.text(55, capitals)}`, privateKey: `SA${this.text(56, capitals)}` }],
    };
  }
}

/** The manifests of all secrets. */
export function secretManifests(data: ReturnType<Canaries['data']>): string {
  const manifests = Object.entries(data).flatMap(([type, all]) =>
    all.map((value, index) => ({ kind: 'secret', name: `${type}-${index}`, type, data: value })),
  );
  return manifests.map((manifest) => JSON.stringify(manifest)).join('\n---\n');
}
