import { ApiError } from './apiError.ts';

/**
 * Limits for what the platform sends, far above what it normally does. Without them one answer could use all memory.
 */
export interface ReplyBounds {
  /** For one answer: a page of 1,000 records of 128 KiB each. */
  readonly bodyBytes: number;
  /** For all answers that are being read at the same time. */
  readonly bytesAtOnce: number;
  /** For an answer that refuses. */
  readonly refusalBytes: number;
  readonly headerBytes: number;
  /** From sending a request to the last byte of its answer. */
  readonly exchangeMs: number;
  /** Interim answers (1xx) before the final one. */
  readonly interims: number;
  /** Levels of nested JSON. */
  readonly depth: number;
  /** For one list or query, all pages together. */
  readonly listBytes: number;
  readonly records: number;
  readonly pages: number;
  /** Consecutive pages without a new record. */
  readonly idlePages: number;
}

const mebibyte = 1024 * 1024;

export const defaultBounds: ReplyBounds = {
  bodyBytes: 128 * mebibyte,
  bytesAtOnce: 192 * mebibyte,
  refusalBytes: mebibyte,
  headerBytes: 64 * 1024,
  exchangeMs: 300_000,
  interims: 100,
  depth: 128,
  listBytes: 512 * mebibyte,
  records: 1_000_000,
  pages: 10_000,
  idlePages: 100,
};

const hint = 'Check the endpoint: it might not be the platform, or the platform might be faulty.';

export function tooLarge(what: string, bound: string): ApiError {
  return new ApiError({ code: 'api.too-large', message: `${what} is larger than ${bound}`, hint });
}

export function tooSlow(ms: number): ApiError {
  return new ApiError({
    code: 'api.too-slow',
    message: `the answer was not complete after ${ms / 1000} s`,
    hint: 'Check the network and the endpoint, and try again.',
  });
}

export function endlessList(why: string): ApiError {
  return new ApiError({ code: 'api.endless-list', message: `the list does not end: ${why}`, hint });
}

/** `128 MiB`, or `500 bytes` below one KiB. */
export function size(bytes: number): string {
  if (bytes >= mebibyte) return `${bytes / mebibyte} MiB`;
  return bytes >= 1024 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}
