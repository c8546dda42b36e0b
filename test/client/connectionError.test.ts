import { expect, test } from 'vitest';
import { connectionError, NoAnswer } from '../../src/client/http/connectionError.ts';

const trust = 'Trust its certificate with NODE_EXTRA_CA_CERTS=FILE, or accept any certificate with --insecure.';

test.each([
  { code: 'ECONNREFUSED', says: 'cannot connect to api.example.com: connection refused' },
  { code: 'EHOSTUNREACH', says: 'cannot connect to api.example.com: no route to the host' },
  { code: 'ENETUNREACH', says: 'cannot connect to api.example.com: no route to the network' },
  { code: 'ENOTFOUND', says: 'cannot connect to api.example.com: unknown host name' },
  { code: 'EAI_AGAIN', says: 'cannot connect to api.example.com: the host name cannot be resolved at present' },
  { code: 'UND_ERR_CONNECT_TIMEOUT', says: 'cannot connect to api.example.com: timed out' },
  { code: 'UND_ERR_HEADERS_TIMEOUT', says: 'GET /org/acme: no answer from api.example.com: timed out' },
  { code: 'ECONNRESET', says: 'GET /org/acme: no answer from api.example.com: connection reset' },
  { code: 'UND_ERR_SOCKET', says: 'GET /org/acme: no answer from api.example.com: connection closed' },
  { code: 'EODD', says: 'GET /org/acme: no answer from api.example.com: EODD raw words' },
])('a connection failure is explained: $code', ({ code, says }) => {
  expect(connectionError('GET /org/acme', failure(code), 'api.unavailable')).toMatchObject({
    code: 'api.unavailable',
    message: says,
    hint: 'Check the endpoint and the network.',
  });
});

test.each([
  { code: 'CERT_HAS_EXPIRED', says: 'its certificate has expired', hint: /^Renew its certificate/ },
  { code: 'CERT_NOT_YET_VALID', says: 'its certificate is not valid yet', hint: /^Check the clock/ },
  { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', says: 'its certificate is self-signed', hint: trust },
  { code: 'ERR_TLS_CERT_ALTNAME_INVALID', says: 'its certificate is for another host name', hint: /^Use a host name/ },
  {
    code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    says: 'its certificate is of an authority that is not trusted',
    hint: trust,
  },
  { code: 'CERT_REVOKED', says: 'its certificate is not trusted (CERT_REVOKED raw words)', hint: trust },
])('an untrusted certificate is explained: $code', ({ code, says, hint }) => {
  const error = connectionError('GET /org/acme', failure(code), 'api.unavailable');
  expect(error).toMatchObject({ code: 'api.tls', hint: expect.stringMatching(hint) });
  expect(error.message).toBe(`cannot connect to api.example.com: ${says}`);
});

test('a server without TLS is reported as such', () => {
  expect(connectionError('GET /org/acme', failure('ERR_SSL_WRONG_VERSION_NUMBER'), 'api.unavailable')).toMatchObject({
    code: 'api.tls',
    message: 'https was used, but the server does not speak TLS',
  });
});

/** The error as the connection pool rejects with it; several addresses of a host give an AggregateError. */
function failure(code: string): NoAnswer {
  const cause = Object.assign(new Error('raw words'), { code });
  return new NoAnswer('api.example.com', code === 'ECONNREFUSED' ? new AggregateError([cause]) : cause);
}
