import type { Construct } from 'constructs';
import type { ContainerVolume, SecretFields, SecretKeys } from '../../generated/interfaces/props.ts';
import { ToolError } from '../../src/base/toolError.ts';
import { readableKeys } from '../../src/schema/facts/secretKeys.ts';
import { Existing } from '../existing.ts';
import { GrantableResource } from '../grantable.ts';
import { type Grant, grantOn, type Principal } from '../grants.ts';
import { report } from '../mistakes.ts';
import { Origin } from '../origin.ts';
import { ownFields } from '../ownFields.ts';
import type { LinkTo } from '../references.ts';
import { SecretKey } from '../secretKey.ts';
import type { Target } from '../target.ts';

export type SecretType = keyof SecretKeys;

/** How a secret is mounted: as a whole, or one of its values. */
export interface SecretMountOptions<Key> {
  /** The key of the secret to mount. @default the whole secret */
  readonly key?: Key | undefined;
}

/** A value that only principals with the permission to reveal it can read. `type` determines the form of `data`. */
export class Secret<Type extends SecretType = SecretType> extends GrantableResource<'secret'> {
  readonly type: Type;
  readonly #data: unknown;

  constructor(
    scope: Construct,
    id: string,
    props: {
      /** The type of its content, and the form of `data`. It cannot be changed. */
      readonly type: Type;
    } & SecretFields[Type],
  ) {
    const { type, data } = props;
    super(scope, id, 'secret', props, ownFields(props));
    this.type = type;
    this.#data = data;
    const unset = type === 'dictionary' ? Object.entries(data ?? {}).filter(([, value]) => value === undefined) : [];
    for (const [key] of unset) report(noValue(this.name, key), this);
  }

  /** A secret that exists without this stack. With its `type`, only keys of that type compile. */
  static fromName<Type extends SecretType = SecretType>(
    scope: Construct,
    id: string,
    name: string,
    { type }: { readonly type?: Type | undefined } = {},
  ): ExistingSecret<Type> {
    return new ExistingSecret<Type>(scope, id, { name, type });
  }

  /** A secret that exists without this stack, by its link. Errors: `stack.link`. */
  static fromLink<Type extends SecretType = SecretType>(
    scope: Construct,
    id: string,
    link: LinkTo<'secret'>,
    { type }: { readonly type?: Type | undefined } = {},
  ): ExistingSecret<Type> {
    return new ExistingSecret<Type>(scope, id, { link, type });
  }

  /**
   * One of its values, for an environment variable: `env: { DB_PASSWORD: secret.key('password') }`.
   *
   * Errors: `stack.secret-key` if it does not have the key.
   */
  key(key: SecretKeys[Type]): SecretKey {
    return keyOf(this, key, keysOf(this.type, this.#data));
  }

  /**
   * The reference for an environment variable or a volume, as text: the whole secret, or one of its keys. Errors:
   * `stack.secret-key` if it does not have the key.
   */
  uri(key?: SecretKeys[Type]): `scheme://secret/${string}` {
    return key === undefined ? `scheme://secret/${this.name}` : this.key(key).uri;
  }

  /**
   * For `volumes` of a container: the secret, or one of its values, as files at an absolute path.
   *
   * Errors: `stack.secret-key` if it does not have the key.
   */
  mount(path: `/${string}`, { key }: SecretMountOptions<SecretKeys[Type]> = {}): ContainerVolume {
    return { uri: key === undefined ? this : this.key(key), path };
  }

  /** Lets a principal read it, for example the identity of a workload. See `grant`. */
  grantReveal(principal: Principal): Grant {
    return grantOn(this, { principal, permissions: ['reveal'], origin: new Origin(this.grantReveal) });
  }
}

/** A secret that exists without this stack. */
export class ExistingSecret<Type extends SecretType = SecretType> extends Existing<'secret'> {
  readonly type: Type | undefined;

  constructor(
    scope: Construct,
    id: string,
    {
      type,
      ...known
    }: ({ readonly name: string } | { readonly link: LinkTo<'secret'> }) & { readonly type?: Type | undefined },
  ) {
    super(scope, id, { kind: 'secret', ...known });
    this.type = type;
  }

  /** One of its values, for an environment variable. Errors: `stack.secret-key` if its type does not have the key. */
  key(key: SecretKeys[Type]): SecretKey {
    return keyOf(this, key, this.type === undefined ? undefined : keysOf(this.type, undefined));
  }

  /** The reference for an environment variable or a volume, as text. Errors: those of `key`. */
  uri(key?: SecretKeys[Type]): `scheme://secret/${string}` {
    return key === undefined ? `scheme://secret/${this.name}` : this.key(key).uri;
  }

  /** For `volumes` of a container: the secret, or one of its values, as files. Errors: those of `key`. */
  mount(path: `/${string}`, { key }: SecretMountOptions<SecretKeys[Type]> = {}): ContainerVolume {
    return { uri: key === undefined ? this : this.key(key), path };
  }

  /** Lets a principal read it, in a policy of this stack, in addition to existing policies. */
  grantReveal(principal: Principal): Grant {
    return grantOn(this, { principal, permissions: ['reveal'], origin: new Origin(this.grantReveal) });
  }
}

/** An omitted undefined key would be removed from the existing secret. */
function noValue(secret: string, key: string): ToolError {
  return new ToolError({
    code: 'stack.sensitive',
    message: `${JSON.stringify(key)} of the secret "${secret}" has no value: is the environment variable set that it comes from?`,
    hint: 'Set it, or give another value.',
  });
}

/** The keys of a secret; undefined if they are unknown. */
function keysOf(type: SecretType, data: unknown): readonly string[] | undefined {
  const known = readableKeys[type];
  if (known !== 'any') return known ?? [];
  return typeof data === 'object' && data !== null ? Object.keys(data) : undefined;
}

function keyOf(secret: Target<'secret'>, key: string, keys: readonly string[] | undefined): SecretKey {
  if (keys !== undefined && !keys.includes(key)) {
    const error = new ToolError({
      code: 'stack.secret-key',
      message: `the secret "${secret.name}" has no key ${JSON.stringify(key)}`,
      hint: keys.length === 0 ? 'It can be read as a whole only: uri().' : `Its keys are ${keys.join(', ')}.`,
    });
    report(error, secret);
    return new SecretKey(secret, keys[0] ?? key); // so that no rule reports it again
  }
  return new SecretKey(secret, key);
}
