import { expect, test } from 'vitest';
import { codeOfStatus, errorCodes } from '../../../src/schema/facts/errorCodes.ts';

test.each([
  [400, 'invalid_request'],
  [401, 'unauthorized'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [408, 'request_timeout'],
  [409, 'conflict'],
  [413, 'body_too_large'],
  [417, 'expectation_failed'],
  [418, 'invalid_request'],
  [429, 'rate_limited'],
  [431, 'headers_too_large'],
  [499, 'invalid_request'],
  [500, 'internal_error'],
  [502, 'unavailable'],
  [503, 'unavailable'],
  [504, 'unavailable'],
  [599, 'internal_error'],
])('a refusal with only the status %i has the code %s (platform/errors.codes)', (status, code) => {
  expect(codeOfStatus(status)).toBe(code);
});

test.each([
  ['must_prove_ownership', 400],
  ['apex_must_exist', 400],
  ['apex_owned_by_other_org', 409],
  ['parent_ns_domain_exists', 409],
] as const)('%s, which public clients use, has the status %i', (code, status) => {
  expect(errorCodes[code].status).toBe(status);
});
