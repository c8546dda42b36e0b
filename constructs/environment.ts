import { opaqueClass } from '../src/base/json/opaque.ts';
import { isLinkable, type Linkable, uriOf } from './linkable.ts';
import type { SecretKey } from './secretKey.ts';
import { markedValue, sensitive } from './sensitive.ts';

/** The value of an environment variable: text, a key of a secret, or a whole secret. */
export type EnvValue = string | SecretKey | Linkable<'secret'>;

/**
 * Environment variables by name, in the order in which they are written. Numbers and booleans become text; a variable
 * that is `undefined` is omitted.
 */
export interface EnvRecord {
  readonly [name: string]: EnvValue | number | boolean | undefined;
  /** Only for the compiler: a list has a length, so errors in a list are reported for the list. */
  readonly length?: undefined;
}

/** The platform's list of variables, from either form. Another value is kept, and validation reports it. */
export function environmentList(env: unknown): unknown {
  if (typeof env !== 'object' || env === null || opaqueClass(env) !== undefined) return env;
  if (Array.isArray(env)) return env.map(variable);
  const named = Object.entries(env).filter(([, value]) => value !== undefined);
  return named.map(([name, value]) => ({ name, value: environmentText(value) }));
}

function variable(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('value' in item)) return item;
  const { value } = item;
  return typeof value === 'object' && value !== null && markedValue(value) === undefined && isLinkable(value)
    ? { ...item, value: uriOf(value) }
    : item;
}

/** The value of a variable in the platform's list. */
export function environmentText(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  const marked = markedValue(value);
  if (marked !== undefined) return typeof marked === 'string' ? value : sensitive(String(marked));
  return isLinkable(value) ? uriOf(value) : value;
}

export function withEnvironment(container: object): object {
  return 'env' in container ? { ...container, env: environmentList(container.env) } : container;
}
