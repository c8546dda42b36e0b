import { expect } from 'vitest';
import { isObject, type JsonObject } from '../../src/base/json/json.ts';

/** Every code of refusals with its status, written by hand (platform/errors.codes). */
export const knownCodes: Readonly<Record<string, number>> = {
  ...{ invalid_request: 400, unreadable_body: 400, validation_failed: 400, command_refused: 400, built_in: 400 },
  ...{ protected: 400, has_dependents: 400, address_bound: 400, apex_must_exist: 400, must_prove_ownership: 400 },
  ...{ unauthorized: 401, forbidden: 403, not_found: 404, method_not_allowed: 405, request_timeout: 408 },
  ...{ conflict: 409, already_exists: 409, being_deleted: 409, version_mismatch: 409 },
  ...{ parent_ns_domain_exists: 409, apex_owned_by_other_org: 409 },
  ...{ platform_context: 403, foreign_host: 403, foreign_origin: 403, not_json: 415 },
  ...{ body_too_large: 413, expectation_failed: 417, headers_too_large: 431 },
  ...{ rate_limited: 429, quota_exceeded: 429, expansion_limit: 429 },
  ...{ internal_error: 500, storage_full: 503, storage_damaged: 503, unavailable: 503 },
};

/**
 * Demands the form of every refusal (platform/errors.body): a status, a message, a known code, the id of the request,
 * and perhaps an object with details. Injected faults can have a status that belongs to no code.
 */
export function expectRefusalForm(status: number, body: JsonObject): void {
  const told = JSON.stringify(body).slice(0, 500);
  expect(body, told).toMatchObject({
    status,
    message: expect.stringMatching(/./),
    code: expect.stringMatching(/^[a-z]+(_[a-z]+)*$/),
    id: expect.stringMatching(/./),
  });
  const others = Object.keys(body).filter((key) => !['status', 'message', 'code', 'details', 'id'].includes(key));
  expect(others, told).toEqual([]);
  const isKnown = Object.values(knownCodes).includes(status);
  if (isKnown) expect(knownCodes[String(body['code'])], told).toBe(status);
  const { details = {} } = body;
  expect(Array.isArray(details) ? 'a list' : typeof details, told).toBe('object');
  if (body['code'] === 'validation_failed') {
    const problem = { path: expect.any(String), message: expect.stringMatching(/./), rule: expect.stringMatching(/./) };
    expect(details, told).toMatchObject({ problems: expect.arrayContaining([expect.objectContaining(problem)]) });
  }
}

/** The object in a text; empty for anything else. */
export function objectIn(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
