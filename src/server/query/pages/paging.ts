import { isDeeperThan } from '../../../base/json/depth.ts';
import type { JsonObject, JsonValue } from '../../../base/json/json.ts';
import { maxBodyDepth } from '../../../schema/facts/limits.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { largestPage, usualPage } from '../../http/limits.ts';

/** The page size. Throws 400 if `limit` is invalid (platform/wire.lists). */
export function pageLimit(parameters: URLSearchParams): number {
  const text = parameters.get('limit');
  if (text === null) return usualPage;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw new ApiFailure(400, 'limit must be a whole number above zero');
  return Math.min(limit, largestPage);
}

export interface Page<T> {
  readonly shown: readonly T[];
  /** The cursor of the next page; undefined on the last one. */
  readonly nextCursor: string | undefined;
  readonly limit: number;
}

/** The link `self`, and `next` if another page follows. `next`: the parameters of its address. */
export function pageLinks(path: string, next: Readonly<Record<string, string>> | undefined): readonly JsonObject[] {
  const self = { rel: 'self', href: path };
  return next === undefined ? [self] : [self, { rel: 'next', href: `${path}?${new URLSearchParams(next)}` }];
}

/** Encodes a JSON value for a query parameter. */
export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Decodes the text of `encode`; throws 400 for any other text. */
export function decode(text: string): JsonValue {
  let value: JsonValue;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    throw new ApiFailure(400, 'the cursor cannot be read');
  }
  if (isDeeperThan(value, maxBodyDepth)) throw new ApiFailure(400, 'the cursor cannot be read');
  return value;
}
