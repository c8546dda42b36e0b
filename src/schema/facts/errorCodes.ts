/** A refusal of the platform. */
export interface ErrorCodeFacts {
  /** The HTTP status of the response. */
  readonly status: number;
  readonly title: string;
}

/**
 * The codes of refusals (`code`, platform/errors.body; those of domains: platform/errors.statuses). Stable: scripts
 * match on them.
 */
const table = {
  invalid_request: {
    status: 400,
    title: 'The path, a parameter or a member of the body is not what the operation takes.',
  },
  unreadable_body: { status: 400, title: 'The body is no JSON object in UTF-8, is nested too deep, or ended early.' },
  validation_failed: {
    status: 400,
    title: 'What was sent breaks the schema or a rule; details.problems has each problem with its path and rule.',
  },
  command_refused: { status: 400, title: 'The command cannot be carried out on this resource as it is.' },
  built_in: { status: 400, title: 'A built-in record cannot be changed or deleted.' },
  protected: {
    status: 400,
    title: 'The tag scheme/protected forbids the deletion; details.problems names the records.',
  },
  has_dependents: { status: 400, title: 'Other records refer to this one; details.problems has their links.' },
  address_bound: { status: 400, title: 'The IP set has an address that is bound.' },
  apex_must_exist: { status: 400, title: 'A sub-domain in ns mode needs its apex domain in the org first.' },
  must_prove_ownership: {
    status: 400,
    title: 'The domain is not proven to be yours; details.ownershipConfig has the TXT record to create.',
  },
  unauthorized: { status: 401, title: 'The token is missing or not valid.' },
  forbidden: { status: 403, title: 'The caller lacks a permission; the message names it in brackets.' },
  platform_context: {
    status: 403,
    title: "The audit context is the platform's own: clients write into contexts that they make.",
  },
  foreign_host: { status: 403, title: 'A server on loopback was asked under the name of another host.' },
  foreign_origin: { status: 403, title: 'A web page of another address asks a server on loopback.' },
  not_found: { status: 404, title: 'No such path, org or record.' },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method; the header Allow has those that it takes.',
  },
  request_timeout: { status: 408, title: 'The request did not arrive in time.' },
  conflict: { status: 409, title: 'The state of the resource does not allow it at present.' },
  already_exists: { status: 409, title: 'The name is taken.' },
  being_deleted: { status: 409, title: 'It, or something in it, is still being deleted; try again.' },
  version_mismatch: { status: 409, title: 'The id or version that was sent is not that of the record.' },
  parent_ns_domain_exists: { status: 409, title: 'A domain above this one, in ns mode, covers the name.' },
  apex_owned_by_other_org: { status: 409, title: 'The domain, or one above it, belongs to another org.' },
  body_too_large: { status: 413, title: 'The body is larger than the operation takes.' },
  not_json: { status: 415, title: 'A server without tokens takes bodies of the type application/json only.' },
  expectation_failed: { status: 417, title: 'The header Expect asks for something that is not available.' },
  rate_limited: { status: 429, title: 'Too many requests; try again after the time that Retry-After names.' },
  quota_exceeded: { status: 429, title: 'A quota of the org is used up; trying again does not help.' },
  expansion_limit: { status: 429, title: 'The volume was expanded too often in 24 hours.' },
  headers_too_large: { status: 431, title: 'The header of the request is too large.' },
  internal_error: { status: 500, title: 'A fault of the platform.' },
  storage_full: {
    status: 503,
    title: 'The disk of the platform is full: nothing can be written until there is room.',
  },
  storage_damaged: {
    status: 503,
    title: 'The database of the platform is damaged: nothing is written until a copy is put back.',
  },
  unavailable: {
    status: 503,
    title: 'The platform cannot answer at present; try again after the time that Retry-After names.',
  },
} as const satisfies Readonly<Record<string, ErrorCodeFacts>>;

export type ErrorCode = keyof typeof table;

export const errorCodes: Readonly<Record<ErrorCode, ErrorCodeFacts>> = table;

const general: Readonly<Record<number, ErrorCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  409: 'conflict',
  413: 'body_too_large',
  417: 'expectation_failed',
  429: 'rate_limited',
  431: 'headers_too_large',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
};

/** The code of a refusal if only the status is known. */
export function codeOfStatus(status: number): ErrorCode {
  return general[status] ?? (status < 500 ? 'invalid_request' : 'internal_error');
}
