import { maxBodyDepth } from '../../../schema/facts/limits.ts';
import { isDeeperThan } from '../../../schema/json/depth.ts';
import type { JsonValue } from '../../../schema/json/json.ts';
import { ApiFailure } from '../../http/apiFailure.ts';
import { largestPage, usualPage } from '../../rules/limits.ts';

/** The most that a page holds. 400 where `limit` is none (platform/wire.lists). */
export function pageLimit(parameters: URLSearchParams): number {
  const text = parameters.get('limit');
  if (text === null) return usualPage;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw new ApiFailure(400, 'limit must be a whole number above zero');
  return Math.min(limit, largestPage);
}

export interface Page<T> {
  readonly shown: readonly T[];
  /** The cursor of the next page; nothing after the last one. */
  readonly following: string | undefined;
  /** As many as the page may show. */
  readonly limit: number;
}

/** A value as the text of a parameter. */
export function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** What `encode` was given; 400 where the text comes from elsewhere. */
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
